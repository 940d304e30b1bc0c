/** Servers of this family show the data of some of their oldest endpoints at the top level of a reply as well, where
 * clients of that time read them. */
const exact: ReadonlySet<string> = new Set([
  ...['sys/ha-status', 'sys/key-status', 'sys/remount', 'sys/rotate', 'sys/rekey/backup', 'sys/wrapping/wrap'],
  ...['sys/capabilities', 'sys/capabilities-accessor', 'sys/capabilities-self'],
  ...['sys/audit', 'sys/audit-hash', 'sys/auth', 'sys/mounts', 'sys/policy'],
])
const below = ['sys/audit/', 'sys/audit-hash/', 'sys/auth/', 'sys/mounts/', 'sys/policy/'] as const

export const isCopied = (path: string): boolean => exact.has(path) || below.some((prefix) => path.startsWith(prefix))
