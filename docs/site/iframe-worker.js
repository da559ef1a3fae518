// The site's search from a folder: a browser starts no worker from file://, so its script runs in a hidden frame.
if (location.protocol === "file:") {
  globalThis.Worker = class {
    constructor(address) {
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.documentElement.append(this.frame);
      const script = this.frame.contentDocument.createElement("script");
      script.src = new URL(address, location).href;
      script.onload = () => {
        const early = this.waiting;
        this.waiting = null;
        early.forEach((data) => this.postMessage(data));
      };
      script.onerror = (event) => this.onerror?.(event);
      this.frame.contentWindow.postMessage = (answer) => {
        const data = structuredClone(answer);
        setTimeout(() => this.onmessage?.({ data }));
      };
      this.frame.contentDocument.documentElement.append(script);
    }

    postMessage(asked) {
      const data = structuredClone(asked);
      if (this.waiting) this.waiting.push(data);
      else setTimeout(() => this.frame.contentWindow?.onmessage({ data }));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
