/** Renders the dialog that `?` opens, with the words of the report and its keys, and marks words that are explained on
 * hover. */
import { markup } from '../escape.ts'
import { glossary, meaningOf } from './glossary.ts'

/** Returns a word that shows its meaning on hover. */
export const term = (word: string, shown = word): string =>
  `<abbr title="${markup(meaningOf(word) ?? '')}">${markup(shown)}</abbr>`

const list = (entries: readonly (readonly [string, string])[]): string =>
  `<dl>${entries.map(([name, means]) => `<dt>${name}</dt><dd>${means}</dd>`).join('')}</dl>`

export const helpDialog = `<dialog id="help" aria-labelledby="help-title"><div class="heading"><h2 id="help-title">Words and keys</h2><button type="button" id="close-help">Close</button></div>
<h3>Words of this report</h3>
${list(glossary.map(([name, means]) => [markup(name), markup(means)]))}
<h3>Keyboard</h3>
${list([
  ['<kbd>/</kbd>', 'search'],
  ['<kbd>j</kbd> <kbd>k</kbd>', 'next and previous row of the list'],
  ['<kbd>Enter</kbd>', 'open or close the row'],
  ['<kbd>Esc</kbd>', 'close the row, leave the search'],
  ['<kbd>?</kbd>', 'this page'],
])}
<p class="note">The address of this page contains filters and the open row: copy it to share what you see.</p></dialog>`
