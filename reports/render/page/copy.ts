import { el } from './element.ts'

/** Puts a text into the clipboard and says so on the button. Browsers without a clipboard for files get the old way. */
export function copyText(text: string, button: HTMLElement): void {
  const word = button.textContent ?? ''
  const say = (done: boolean): void => {
    button.textContent = done ? 'Copied' : 'Copying is not allowed here'
    setTimeout(() => {
      button.textContent = word
    }, 1500)
  }
  const oldWay = (): void => {
    const area = el('textarea', { class: 'offscreen' })
    area.value = text
    document.body.append(area)
    area.select()
    say(document.execCommand('copy'))
    area.remove()
    button.focus({ preventScroll: true })
  }
  // A browser has no clipboard for a page that was not opened from a secure origin.
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (clipboard) clipboard.writeText(text).then(() => say(true), oldWay)
  else oldWay()
}
