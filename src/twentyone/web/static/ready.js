/* The widget library inserts the page's parts shortly after our scripts run: wait for them. */
export function ready(selector, begin) {
  const look = () => {
    const element = document.querySelector(selector);
    if (element && !element.dataset.begun) {
      element.dataset.begun = 'true';
      begin(element);
    }
    return Boolean(element);
  };
  if (look()) return;
  const watch = new MutationObserver(() => look() && watch.disconnect());
  watch.observe(document.documentElement, { childList: true, subtree: true });
}
