/** The button goes round: as the system, light, dark. The choice is remembered where the browser allows it. */
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
    const kept = localStorage.getItem('assay-theme')
    set(kept !== null && themes.includes(kept) ? kept : 'system')
  } catch {
    set('system')
  }
  button.addEventListener('click', () => {
    set(themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system')
    try {
      localStorage.setItem('assay-theme', theme)
    } catch {
      // A page in a sandbox may not remember.
    }
  })
}
