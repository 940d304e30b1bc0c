/** The button cycles through the themes system, light and dark. The choice is stored if the browser allows it. */
export function chooseTheme(button: HTMLElement): void {
  const themes = ['system', 'light', 'dark']
  const words: Readonly<Record<string, string>> = {
    system: 'Theme: system',
    light: 'Theme: light',
    dark: 'Theme: dark',
  }
  let theme = 'system'
  const set = (next: string): void => {
    theme = next
    document.documentElement.dataset.theme = next
    button.textContent = words[next] ?? ''
  }
  try {
    const stored = localStorage.getItem('assay-theme')
    set(stored !== null && themes.includes(stored) ? stored : 'system')
  } catch {
    set('system')
  }
  button.addEventListener('click', () => {
    set(themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system')
    try {
      localStorage.setItem('assay-theme', theme)
    } catch {
      // A sandboxed page may not store the choice.
    }
  })
}
