/** The closed word lists of the project. Every other module, the command line and the reports use only these words. */

export const areas = [
  'dr-replication',
  'performance-replication',
  'policies',
  'pki',
  'plugin-catalog',
  'mfa-legacy',
  'mfa-identity',
  'cloud',
] as const
export type Area = (typeof areas)[number]

/** `must` decides the run, `should` warns, `info` marks what the documents leave open and is never asserted. */
export const levels = ['must', 'should', 'info'] as const
export type Level = (typeof levels)[number]

/** From which level on a contradicted sentence makes a run fail. */
export const failLevels = ['must', 'should'] as const
export type FailLevel = (typeof failLevels)[number]

/** `premium` is the tier of the enterprise edition that has RGP and EGP policies. */
export const editions = ['community', 'enterprise', 'premium'] as const
export type Edition = (typeof editions)[number]

export const verdicts = ['pass', 'fail', 'warn', 'accepted', 'not-applicable', 'not-verified', 'error'] as const
export type Verdict = (typeof verdicts)[number]

/** The verdict of a run in one word. `outdated`: the list of accepted findings accepts too much. `not-served`: the
 * target served nothing that could be judged. */
export const runWords = [
  'conformant',
  'non-conformant',
  'outdated',
  'incomplete',
  'regressed',
  'not-served',
  'defective',
  'left-behind',
  'interrupted',
] as const
export type RunWord = (typeof runWords)[number]

/** Ordered by how much a check may touch; a ceiling admits its own class and those before it. */
export const safetyClasses = ['read-only', 'scoped', 'disruptive'] as const
export type SafetyClass = (typeof safetyClasses)[number]

/** The kinds of topics. The file name of a topic, up to a `-` suffix, is its kind. */
export const kinds = ['fields', 'transitions', 'errors', 'limits', 'versions', 'access'] as const
export type Kind = (typeof kinds)[number]

/** What a check may need beyond one reachable server and a token. `clusters` is a second cluster that may be wiped,
 * `third-cluster` a third one; `forwarder` is a proxy in front of a cluster that counts and cuts its connections;
 * `environment` is what the environment of the target's process says about the region. */
export const needs = [
  'clock',
  'clusters',
  'third-cluster',
  'key-shares',
  'forwarder',
  'provider',
  'plugin-files',
  'environment',
  'entity',
] as const
export type Need = (typeof needs)[number]

export const exitCodes = {
  conformant: 0,
  nonConformant: 1,
  usage: 2,
  incomplete: 3,
  regression: 4,
  unreachable: 5,
  defect: 6,
  leftBehind: 7,
  interrupted: 130,
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
