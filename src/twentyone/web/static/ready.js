/* The page's parts are put in by the widget library a moment after our scripts run: wait for them. */
export function ready(selector, begin) {
  const look = () => {
    const found = document.querySelector(selector);
    if (found && !found.dataset.begun) {
      found.dataset.begun = 'true';
      begin(found);
    }
    return Boolean(found);
  };
  if (look()) return;
  const watch = new MutationObserver(() => look() && watch.disconnect());
  watch.observe(document.documentElement, { childList: true, subtree: true });
}
