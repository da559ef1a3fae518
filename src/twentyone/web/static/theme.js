/* The light or dark theme, or that of the system. The server writes what was chosen into the page; other pages that are
   open are told. */
const COOKIE = 'twentyone_theme';
const others = new BroadcastChannel(COOKIE);

/** @returns {NodeListOf<HTMLInputElement>} */
const choices = () => document.querySelectorAll('[name=theme]');

/** @param {string} theme */
function wear(theme) {
  if (['light', 'dark'].includes(theme)) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  choices().forEach((choice) => { choice.checked = choice.value === theme; });
}

/** @param {string} theme */
function keep(theme) {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `${COOKIE}=${theme}; path=/; max-age=31536000; samesite=strict${secure}`;
  others.postMessage(theme);
}

others.addEventListener('message', ({ data }) => wear(data));
choices().forEach((choice) => choice.addEventListener('change', () => {
  wear(choice.value);
  keep(choice.value);
}));
