/* Read before anything is painted, so that nothing flashes: light or dark, where this browser's person chose one. */
(() => {
  const KEY = 'twentyone_theme';
  const kept = () => {
    try { return localStorage.getItem(KEY); } catch { return null; }
  };
  const wear = (theme) => {
    if (['light', 'dark'].includes(theme)) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    document.querySelectorAll('[name=theme]').forEach((choice) => { choice.checked = choice.value === (theme || 'system'); });
  };
  wear(kept());
  addEventListener('storage', (event) => event.key === KEY && wear(event.newValue));
  document.addEventListener('change', ({ target }) => {
    if (target.name !== 'theme') return;
    wear(target.value);
    try { localStorage.setItem(KEY, target.value); } catch { /* a browser that keeps nothing wears it until it is left */ }
  });
  window.twentyoneTheme = () => wear(kept());
})();
