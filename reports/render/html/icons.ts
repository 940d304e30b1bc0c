/** The icons of the verdicts as symbols of one hidden SVG; `mark` is drawn in the colour of the background. */
const disc = '<circle cx="8" cy="8" r="7.5" fill="currentColor"/>'
const ring = '<circle cx="8" cy="8" r="6.75" fill="none" stroke="currentColor" stroke-width="1.5"/>'
const mark = (path: string): string => `<path class="mark" d="${path}"/>`
const line = (path: string): string => `<path class="line" d="${path}"/>`

const shapes: Readonly<Record<string, string>> = {
  pass: disc + mark('M4.7 8.3l2.3 2.3 4.3-4.9'),
  fail: disc + mark('M5.5 5.5l5 5M10.5 5.5l-5 5'),
  warn: `<path fill="currentColor" d="M8 1.1c.4 0 .8.2 1 .6l6 10.9c.5.8-.1 1.9-1 1.9H2c-.9 0-1.5-1.1-1-1.9l6-10.9c.2-.4.6-.6 1-.6z"/>${mark('M8 5.6v3.6M8 11.7v.1')}`,
  error: `<path fill="currentColor" d="M5 .8h6l4.2 4.2v6L11 15.2H5L.8 11V5z"/>${mark('M8 4.2v4.6M8 11.4v.1')}`,
  accepted: `<rect x=".8" y=".8" width="14.4" height="14.4" rx="3" fill="currentColor"/>${mark('M4.6 6.2h6.8M4.6 9.8h6.8M9.6 4l-3.2 8')}`,
  'not-verified': `<circle cx="8" cy="8" r="6.75" fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="2.6 1.64"/>${line('M6.2 6.4c.1-1.1.9-1.7 1.9-1.7 1.1 0 1.9.7 1.9 1.7 0 1.4-1.9 1.4-1.9 2.8M8.1 11.3v.1')}`,
  'not-applicable': ring + line('M5 8h6'),
  silent: '<circle cx="8" cy="8" r="2" fill="currentColor"/>',
  open: '<circle cx="8" cy="8" r="4.5" fill="none" stroke="currentColor" stroke-width="1.5"/>',
  none: '<circle cx="8" cy="8" r="2" fill="currentColor"/>',
}

export const iconSheet = `<svg class="sheet" aria-hidden="true" focusable="false">${Object.entries(shapes)
  .map(([name, shape]) => `<symbol id="icon-${name}" viewBox="0 0 16 16">${shape}</symbol>`)
  .join('')}</svg>`

export const icon = (name: string): string =>
  `<svg class="icon ${name}" aria-hidden="true"><use href="#icon-${name}"/></svg>`

/** Returns the icon as a data URL for the tab of the browser. */
export const favicon = (name: string, colour: string): string => {
  const shape = (shapes[name] ?? '')
    .replaceAll('currentColor', colour)
    .replaceAll('class="mark"', 'fill="none" stroke="#fff" stroke-width="1.8"')
    .replaceAll('class="line"', `fill="none" stroke="${colour}" stroke-width="1.6"`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${shape}</svg>`
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
