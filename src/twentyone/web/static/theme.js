/* Runs before the page is painted, so that it does not flash: selects the light or dark theme if the person chose one. */
(() => {
  const KEY = 'twentyone_theme';
  const kept = () => {
    try { return localStorage.getItem(KEY); } catch { return null; }
  };
  const apply = (theme) => {
    if (['light', 'dark'].includes(theme)) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    document.querySelectorAll('[name=theme]').forEach((choice) => { choice.checked = choice.value === (theme || 'system'); });
  };
  apply(kept());
  addEventListener('storage', (event) => event.key === KEY && apply(event.newValue));
  document.addEventListener('change', ({ target }) => {
    if (target.name !== 'theme') return;
    apply(target.value);
    try { localStorage.setItem(KEY, target.value); } catch { /* without storage the choice lasts until the page is left */ }
  });
  window.twentyoneTheme = () => apply(kept());
})();
