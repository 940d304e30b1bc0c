/** The variables that another program needs. A token, a key or a proxy with a password never gets into its environment,
 * which other programs of this user can read. */
const needed = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'SystemRoot', 'USERPROFILE'] as const

export const childEnvironment = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv =>
  Object.fromEntries(needed.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
