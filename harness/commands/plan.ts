import { exitCodes, requirementsOf, type SafetyClass, safetyClasses } from '../vocabulary/index.ts'
import { type CommandTable, commandOf, type TabledCommand } from './options/flag.ts'
import { addressWord, selectionFlags, targetFlags } from './options/options.ts'
import type { Terminal } from './output/terminal.ts'
import { columns, counted } from './output/wording.ts'
import type { Plan, PlanFlags, PlanRow } from './plan/planned-requests.ts'

const examples = `
Sends nothing. "assay-*" stands for throw-away names, "+" for ids that the server generates.

Examples:
  assay plan --area policies
  assay plan --profile staging.yaml          leaves out checks that its declared facts rule out
  assay plan --area policies --policy > assay.hcl`

const table: CommandTable = {
  name: 'plan',
  says: 'show what a run would do, and the policy that its token needs',
  words: addressWord,
  flags: {
    target: targetFlags,
    selection: selectionFlags,
    safety: [
      {
        flag: '--safety <class>',
        says: 'highest safety class of the checks',
        values: { of: safetyClasses, what: 'safety class' },
        default: 'scoped',
      },
    ],
    output: [
      { flag: '--policy', says: 'print the smallest sufficient ACL policy instead, in HCL' },
      {
        flag: '--no-sweep',
        says: 'leave out of the policy the rights that only the search for leftovers needs',
        isRare: true,
      },
      { flag: '--json', says: 'print checks, touches and policy as JSON' },
    ],
  },
  more: examples,
}

export const planCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf<PlanFlags>(table, async (typed, [word]) => {
    const { planFor } = await import('./plan/planned-requests.ts')
    const { nameTarget } = await import('../profile/named-target.ts')
    const { flags, refused } = nameTarget(typed, word, { env: terminal.env, folder: process.cwd() })
    if (refused !== undefined) terminal.say(refused)
    const plan = await planFor(flags, terminal.env)
    if (flags.json) terminal.json(asJson(plan), 2)
    else if (flags.policy) terminal.ownText(plan.policy.trimEnd())
    else terminal.outAll([...usedLines(plan), ...described(plan)])
    const needed = neededBesides(plan)
    if (needed.length > 0) terminal.say(`assay: a run also needs ${needed.join(', and ')}`)
    settle(exitCodes.conformant)
  })

const asJson = ({ given, rows, above, requirements, policy, policyLines }: Plan) => ({
  given,
  checks: rows.map(plain),
  above: above.map((row) => ({ ...plain(row), allow: allowing[row.safety] })),
  requirements,
  policy,
  policyLines,
})

/** The flags with which a run includes checks of a class. */
const allowing: Readonly<Record<SafetyClass, string>> = {
  'read-only': '--safety read-only',
  scoped: '--safety scoped',
  disruptive: '--safety disruptive --allow-disruptive <cluster-id>',
}

/** Shows what a run with the same flags would use, and where each value comes from. */
function usedLines({ given, unused }: Plan): string[] {
  if (given.length === 0) return []
  return [
    'A run with these flags would use:',
    ...columns(given.map(({ what, value, from }) => [`  ${what}`, value, from])),
    ...(unused === undefined ? [] : [`  not read: ${unused}`]),
    '',
  ]
}

const plain = ({ address, safety, check, touches }: PlanRow) => ({
  id: address,
  requirements: requirementsOf(check),
  safety,
  touches,
})

const neededBesides = ({ missing: { variables, files } }: Plan): readonly string[] => [
  ...(variables.size > 0 ? [`these variables, which are not set: ${[...variables].join(', ')}`] : []),
  ...(files.size > 0 ? [`these files, which are not there: ${[...files].join(', ')}`] : []),
]

function described({ rows, above, requirements }: Plan): string[] {
  const checks = rows.flatMap(({ address, safety, touches }) => [
    `${address}  (${safety})`,
    ...columns(touches.map(({ method, path, as }) => [`    ${method}`, path, as === 'operator' ? '' : `as ${as}`])),
  ])
  const all = new Set(rows.flatMap(({ touches }) => touches.map(({ method, path }) => `${method} ${path}`)))
  return [
    ...checks,
    ...leftOut(above),
    '',
    `${counted(rows.length, 'check')}, ${counted(all.size, 'method and path', 'methods and paths')}; ${requirements.decided} of ${counted(requirements.of, 'requirement')} of ${requirements.areas.join(', ')} decided`,
  ]
}

function leftOut(above: readonly PlanRow[]): string[] {
  const bySafety = Map.groupBy(above, ({ safety }) => safety)
  return [...bySafety].flatMap(([safety, rows]) => [
    '',
    `above the ceiling: ${counted(rows.length, 'check')}, ${safety}; a run leaves them out unless it has ${allowing[safety]}`,
    ...rows.map(({ address }) => `    ${address}`),
  ])
}
