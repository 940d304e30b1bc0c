/** The oldest endpoints of the family. Servers show their data at the top level of the reply as well as in `data`,
 * because old clients read them there. */
const exact: ReadonlySet<string> = new Set([
  ...['sys/ha-status', 'sys/key-status', 'sys/remount', 'sys/rotate', 'sys/rekey/backup', 'sys/wrapping/wrap'],
  ...['sys/capabilities', 'sys/capabilities-accessor', 'sys/capabilities-self'],
  ...['sys/audit', 'sys/audit-hash', 'sys/auth', 'sys/mounts', 'sys/policy'],
])
const below = ['sys/audit/', 'sys/audit-hash/', 'sys/auth/', 'sys/mounts/', 'sys/policy/'] as const

export const isCopied = (path: string): boolean => exact.has(path) || below.some((prefix) => path.startsWith(prefix))
