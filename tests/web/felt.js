/* What is wrong with the layout as it is drawn: a rank or suit that something covers, badges that meet. */
(views) => {
  const { layout, console } = window.twentyone;
  const layer = layout.svg.querySelector('.tw-live');
  layer.style.pointerEvents = 'all';
  const all = (selector) => [...layer.querySelectorAll(selector)];
  const name = (element) => `${element.closest('.tw-card, .tw-badge, .tw-stack')?.textContent || element.tagName} ${element.getAttribute('class') || ''}`;
  const meet = (one, other) => one.left < other.right - 0.5 && other.left < one.right - 0.5 && one.top < other.bottom - 0.5 && other.top < one.bottom - 0.5;
  const inside = ({ left, top, right, bottom }) => [[0.5, 0.5], [0.15, 0.25], [0.85, 0.25], [0.15, 0.75], [0.85, 0.75]].map(([x, y]) => [left + (right - left) * x, top + (bottom - top) * y]);
  const covered = (element, own) => inside(element.getBoundingClientRect()).map(([x, y]) => document.elementFromPoint(x, y)).find((found) => found?.closest('.tw-live') && found.closest(own) !== element.closest(own));
  const look = () => {
    const faults = [];
    const felt = layout.svg.getBoundingClientRect();
    const corners = all('.rank, .suit');
    const badges = all('.tw-badge rect');
    const labels = all('.tw-stack .value');
    const rects = new Map([...corners, ...badges, ...labels].map((each) => [each, each.getBoundingClientRect()]));
    for (const [found, own] of [...corners.map((each) => [each, '.tw-card']), ...labels.map((each) => [each, '.tw-stack']), ...badges.map((each) => [each, '.tw-badge'])]) {
      const over = covered(found, own);
      if (over) faults.push(`${name(found)} is covered by ${name(over)}`);
    }
    badges.forEach((one, index) => {
      for (const other of badges.slice(index + 1)) if (meet(rects.get(one), rects.get(other))) faults.push(`${name(one)} meets ${name(other)}`);
      for (const other of [...corners, ...labels]) if (meet(rects.get(one), rects.get(other))) faults.push(`${name(one)} covers ${name(other)}`);
    });
    for (const each of all(':scope > g')) {
      const at = each.getBoundingClientRect();
      if (at.left < felt.left || at.right > felt.right || at.top < felt.top || at.bottom > felt.bottom) faults.push(`${name(each)} is not on the layout`);
    }
    return faults;
  };
  const found = views.map((view) => {
    console?.side.before(view);
    layout.render(view, false);
    console?.side.show(view);
    return look();
  });
  layer.style.pointerEvents = '';
  return found;
}
