/** The environment variables that set a region in the target's process (document 3, Cloud root configuration,
 * region). */
const names = ['CLOUD_REGION', 'CLOUD_DEFAULT_REGION'] as const

export type RegionVariables = Readonly<Partial<Record<(typeof names)[number], string>>>

export const regionVariablesIn = (env: Readonly<Record<string, string | undefined>>): RegionVariables =>
  Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
