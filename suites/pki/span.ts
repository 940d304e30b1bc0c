/** Returns a duration in words, such as `1 h 30 min`. The sign is dropped. */
export function spanWords(seconds: number): string {
  const left = Math.abs(Math.round(seconds))
  const parts = [
    [Math.floor(left / 3600), 'h'],
    [Math.floor((left % 3600) / 60), 'min'],
    [left % 60, 's'],
  ] as const
  const told = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`)
  return `${seconds < 0 ? 'minus ' : ''}${told.join(' ') || '0 s'}`
}
