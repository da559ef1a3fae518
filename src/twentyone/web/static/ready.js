/* The page's parts are put in by the widget library a moment after our scripts run: wait for them. */
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
