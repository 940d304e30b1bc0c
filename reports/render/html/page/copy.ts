import { el } from './element.ts'

/** Copies a text to the clipboard and reports the outcome on the button. Falls back to `execCommand` in browsers that
 * give a page from a file no clipboard. */
export function copyText(text: string, button: HTMLElement): void {
  const word = button.textContent ?? ''
  const say = (done: boolean): void => {
    button.textContent = done ? 'Copied' : 'Copying is not allowed here'
    setTimeout(() => {
      button.textContent = word
    }, 1500)
  }
  const copySelection = (): void => {
    const area = el('textarea', { class: 'offscreen' })
    area.value = text
    document.body.append(area)
    area.select()
    say(document.execCommand('copy'))
    area.remove()
    button.focus({ preventScroll: true })
  }
  // The clipboard is undefined in a page that was not opened from a secure origin.
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (clipboard) clipboard.writeText(text).then(() => say(true), copySelection)
  else copySelection()
}
