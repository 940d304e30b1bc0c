/** A check has no verdict of its own for one of these reasons: each code with its words and what helps. This is the
 * one table of these words, and as long as there are codes. */
import type { Answered, Blocker, FoundOtherwise, ObstacleCode, ObstacleFacts, ObstacleKind } from './obstacles.ts'
import { saysNothing } from './reply.ts'

interface Words<Code extends ObstacleCode> {
  readonly kind: ObstacleKind | ((facts: ObstacleFacts[Code]) => ObstacleKind)
  /** A clause, without capital and full stop. */
  says(facts: ObstacleFacts[Code]): string
  /** The reader can do this; absent where nothing has to be done. */
  readonly mend?: string | ((facts: ObstacleFacts[Code]) => string)
  /** The same words help with different things, so that each reason is a cause of its own. */
  readonly perReason?: true
}

const says = ({ says }: { readonly says: string }): string => says
const policy = 'give a token with the policy that `assay plan --policy` prints'
const onCluster = ({ asked, cluster }: Answered): string => (cluster === undefined ? asked : `${asked} on ${cluster}`)
const otherwise = ({ asked, at, wanted, saw }: FoundOtherwise): string => `${asked}: wanted ${at} ${wanted}; saw ${saw}`
const isServed = (answer: string): boolean => /^2\d\d/.test(answer)
const morePatience = 'raise patienceSeconds in the profile, where the target only needs longer'
const sameProvider = 'see that the target calls the provider at the address that "provider" in the profile advertises'

export const obstacles: { readonly [Code in ObstacleCode]: Words<Code> } = {
  'area-absent': { kind: 'area', says: ({ name, evidence }) => `the target has no ${name}: ${evidence}` },
  'holds-elsewhere': {
    kind: ({ fact }) => fact,
    says: ({ fact, wanted, seen, source }) =>
      `holds for ${wanted}; ${fact === 'feature' ? seen : `the target is ${seen}`}${source ? ` (${source})` : ''}`,
  },
  'fact-unknown': {
    kind: 'unknown-fact',
    says: ({ fact, wanted }) =>
      fact === 'feature'
        ? `holds for ${wanted}, and whether the target has that is not known`
        : `holds for ${wanted}, and the target's ${fact} is not known`,
    mend: ({ declare }) => `give declared.${declare} in the profile`,
  },
  'left-open': { kind: 'optional', says },
  'above-the-ceiling': {
    kind: 'safety',
    says: ({ safety, ceiling }) => `the check is ${safety}, and this run goes no further than ${ceiling}`,
    mend: ({ safety }) =>
      `run with --safety ${safety}${safety === 'disruptive' ? ' and --allow-disruptive <cluster-id>' : ''}`,
  },
  'not-provided': {
    kind: 'need',
    says: ({ needs }) => `the profile does not provide ${needs.join(', ')}`,
    mend: ({ lines }) => `add to the profile: ${lines.join('; ')}`,
  },
  'not-initialized': {
    kind: 'need',
    says: () => 'the target is not initialized',
    mend: 'initialize and unseal it',
  },
  sealed: { kind: 'need', says: () => 'the target is sealed', mend: 'unseal it' },
  'no-token': {
    kind: 'permission',
    says: () => 'no token was given',
    mend: 'set ASSAY_TOKEN, or name one in the profile',
  },
  'token-unheard': {
    kind: 'transport',
    says: ({ told }) => `the target could not be heard about the token (${told})`,
    mend: ({ mend }) => mend,
  },
  'token-unanswered': {
    kind: 'transport',
    says: ({ told }) => `the target fails to answer about the token (${told})`,
    mend: 'run again once it answers',
  },
  'token-invalid': {
    kind: 'permission',
    says: ({ url, told }) => `${url} does not know the token: it is wrong, expired or revoked (${told})`,
    mend: 'give a token that is valid there',
  },
  'token-refused': {
    kind: 'permission',
    says: ({ url, told }) =>
      `${url} refuses the token everywhere: it is not valid there, or its policy allows nothing that a run needs (${told})`,
    mend: 'give a token that is valid there, with the policy that "assay plan --policy" prints',
  },
  'token-untold': {
    kind: 'need',
    says: ({ url, told }) => `what answers at ${url} does not show whether the token is valid (${told})`,
    mend: "fix the URL, or see whether a proxy answers in the target's place",
  },
  denied: {
    kind: 'permission',
    says: ({ asked }) => `${asked} was denied to the operator's token, and the target does not say that it is allowed`,
    mend: policy,
  },
  'step-denied': {
    kind: 'permission',
    says: ({ asked, answer, as }) => `${asked} was denied${as ? ` to ${as}` : ''} (${answer})`,
    mend: ({ as }) => (as ? `see on the target why ${as} may not do this` : policy),
  },
  'step-refused': {
    kind: 'given',
    says: (facts) => `${onCluster(facts)} answered ${facts.answer}`,
    mend: 'see the exchange, and fix on the target, or in the profile, what its answer names',
    perReason: true,
  },
  'control-refused': {
    kind: 'control',
    says: ({ asked, answer }) => `the control ${asked} answered ${answer}`,
    mend: 'see the exchange, and fix on the target what its answer names: this request must succeed',
    perReason: true,
  },
  'not-shown': {
    kind: 'given',
    says: (facts) =>
      isServed(facts.answer)
        ? `the reply to ${onCluster(facts)} does not show ${facts.what}`
        : `${onCluster(facts)} answered ${facts.answer}, and does not show ${facts.what}`,
    mend: 'see the exchange: where it shows this in another form, report the form; where it does not, accept that it cannot be verified',
    perReason: true,
  },
  unreadable: {
    kind: 'given',
    says: (facts) => `cannot read the current state: ${onCluster(facts)} answered ${facts.answer}`,
    mend: 'see on the target why it refuses this read',
    perReason: true,
  },
  'not-as-prepared': {
    kind: 'given',
    says: otherwise,
    mend: 'see the exchange, and the findings about the same request; where somebody else changes the target meanwhile, run again',
    perReason: true,
  },
  'rests-on': {
    kind: 'rests-on',
    says: otherwise,
    mend: ({ check }) => `this rests on what ${check} judges: see there`,
  },
  'not-in-time': {
    kind: 'given',
    says: ({ what, saw }) => `waited for ${what} until the timeout; last seen: ${saw}`,
    mend: morePatience,
  },
  'no-effect': {
    kind: 'given',
    says: ({ asked, seenBy }) => `${asked} succeeds, and ${seenBy} shows no effect of it`,
    mend: 'see both exchanges: where the effect shows elsewhere, report it; where it does not, the target ignores the request',
    perReason: true,
  },
  indistinct: {
    kind: 'given',
    says: ({ asked, absent }) => `${asked} succeeds for ${absent}, so its successes prove nothing`,
    mend: 'see whether a proxy or a cache answers in place of the target',
    perReason: true,
  },
  restless: {
    kind: 'given',
    says: ({ what }) => `${what} changes before the request that is judged`,
    mend: 'run again while nobody else uses the target',
  },
  'saved-invalid': {
    kind: 'given',
    says: ({ name, what }) => `what an earlier step saved as \`${name}\` is not ${what}`,
    mend: 'see the exchange of the step that gave it',
    perReason: true,
  },
  'value-too-long': {
    kind: 'reply-size',
    says: ({ asked, name, length, most }) =>
      `the reply to ${asked} gave \`${name}\` in ${length} characters, and no request can repeat more than ${most}`,
    mend: 'see why the target gives so long a value',
    perReason: true,
  },
  'data-may-be-lost': {
    kind: 'given',
    says: ({ cluster }) => `${cluster} was force-promoted although in sync; data loss cannot be ruled out`,
    mend: 'let the secondary reach its primary, so that it can be promoted without force',
  },
  'no-date': {
    kind: 'given',
    says: ({ asked }) => `the reply to ${asked} has no Date header, so the clock of the target is not known`,
    mend: 'let the target, or the proxy before it, send the Date header',
  },
  'picture-too-large': {
    kind: 'reply-size',
    says: ({ asked, width, height }) =>
      `${asked} gave a picture of ${width} by ${height} pixels, which is too large to be read`,
    mend: 'see why the target draws so large a picture for the `qr_size` that the check sets',
    perReason: true,
  },
  'dialect-lacks': {
    kind: 'need',
    says: ({ dialect, operation }) => `the dialect ${dialect} has no operation ${operation}`,
    mend: ({ operation }) => `name a dialect that has ${operation} under "dialect" in the profile`,
  },
  'cluster-in-use': {
    kind: 'need',
    says: ({ asked, cluster, saw }) => `${asked} on ${cluster}: the cluster is in use by its owner (${saw})`,
    mend: 'name clusters that nobody uses in the profile, or end their replication first',
  },
  'cluster-closed': {
    kind: 'permission',
    says: ({ cluster, why }) => `the operator has no token for the cluster ${cluster}: ${why}`,
    mend: ({ cluster }) => `give a token or key shares (keySharesFile) of ${cluster} in the profile`,
  },
  'shares-insufficient': {
    kind: 'need',
    says: ({ cluster, given }) =>
      `the key shares that the profile gives of ${cluster} (${given}) are too few, or wrong`,
    mend: ({ cluster }) => `give enough valid key shares of ${cluster} in its keySharesFile`,
  },
  'wait-too-long': {
    kind: 'need',
    says: ({ why, seconds, most }) =>
      `${why}: this needs ${seconds} s to pass, and the longest wait allowed is ${most} s`,
    mend: ({ seconds }) => `run with --max-wait ${Math.ceil(seconds)}`,
  },
  'control-listener': {
    kind: 'transport',
    says: ({ operation, answer }) => `the control listener does not ${operation} (${answer})`,
    mend: 'see that "control" in the profile is the control listener of a running reference server',
  },
  'provider-not-called': {
    kind: 'need',
    says: ({ address, answers }) => `the target has not called the provider at ${address} (${answers})`,
    mend: ({ wasAsked }) =>
      wasAsked
        ? 'let "provider.advertise" in the profile name an address that the target can reach'
        : 'see in the exchanges why the target takes none of the roles that would make it call the provider',
  },
  'provider-shows-no': {
    kind: 'given',
    says: ({ what, asked }) => `${asked === undefined ? '' : `${asked} succeeds, and `}the provider shows no ${what}`,
    mend: sameProvider,
  },
  'provider-log-full': {
    kind: 'given',
    says: () => 'the target made more calls at the provider than the log of an account holds',
    mend: 'see in the log of the target why it repeats its calls',
  },
  'plugin-unusable': {
    kind: 'need',
    says: ({ step, asked, answer }) => `the plugin of the profile cannot be ${step}: ${asked} answered ${answer}`,
    mend: ({ step }) =>
      step === 'registered'
        ? 'see whether command, sha256 and type under "pluginFiles" are those of a file in the plugin directory of the target'
        : 'see whether the file under "pluginFiles" is a plugin that runs, and its sha256 the right one',
  },
  'plugin-version-fixed': {
    kind: 'need',
    says: ({ command, version }) =>
      `the target files ${command} under ${version}, which the file itself reports, whatever a registration says`,
    mend: 'name a plugin under "pluginFiles" that reports no version',
  },
  'plugin-of-other-type': {
    kind: 'need',
    says: ({ command, type }) =>
      `${command} is a plugin of type ${type}, and only one of type secret can be mounted here`,
    mend: 'name a plugin of type secret first under "pluginFiles"',
  },
  'plugin-use-unseen': {
    kind: 'need',
    says: ({ asked }) => `${asked} succeeds, and nothing shows whether the plugin runs`,
    mend: 'name a path that the plugin answers as "reads" under "pluginFiles"',
  },
  'journal-unwritable': {
    kind: 'given',
    says: ({ file, why }) => `the journal ${file} cannot be written (${why}), so nothing more is made on the target`,
    mend: 'free space there, or name another folder with --out',
  },

  'no-way-back': {
    kind: 'given',
    says: ({ told }) => `this run gives no further cluster a role, since it cannot take one back: ${told}`,
    mend: 'bring that cluster back by hand, see why it refuses the way back and that the key shares are right, and run again',
  },
  'connection-cut': {
    kind: 'transport',
    says: ({ asked, cuts }) =>
      `the target cut the connection at ${asked} (${cuts === 1 ? 'once' : `${cuts} times of ${cuts}`}), and answers other requests`,
    mend: 'see what the log of the target, or of the proxy before it, says about this request',
    perReason: true,
  },
  'poll-unanswered': {
    kind: 'transport',
    says: ({ asked, trouble }) => `polled ${asked} until the timeout; last error: ${trouble}`,
    mend: 'see whether the target is up, and raise patienceSeconds in the profile where it only needs longer',
  },
  'no-reply': {
    kind: 'transport',
    says: ({ asked, trouble }) => `${asked}: ${trouble}`,
    mend: 'see whether the network lets requests through to the target, and run again',
  },
  'target-failing': {
    kind: 'failing-target',
    says,
    mend: 'see whether the target is up, and what is in front of it, and run again',
  },
  'in-the-way': {
    kind: 'failing-target',
    says: ({ attempts, ...reply }) => `${saysNothing(reply)}${attempts > 1 ? ` (${attempts} attempts)` : ''}`,
    mend: 'run again once what is in front of the target lets requests through; a server that refuses with such a status cannot be judged by its refusals',
  },
  'reply-too-large': {
    kind: 'reply-size',
    says: ({ asked, trouble }) => `${asked}: ${trouble}`,
    mend: 'see why the target sends so much; harness/bounds.md lists the bounds on what is received',
    perReason: true,
  },
  interrupted: { kind: 'interrupted', says: () => 'the run was interrupted', mend: 'run again' },
  'time-over': {
    kind: 'time',
    says: ({ seconds }) => `the run had ${seconds} s, and they are over`,
    mend: ({ seconds }) => `give it more time with --max-duration, now ${seconds}, or fewer checks`,
  },
  defect: { kind: 'suite', says, mend: 'report this defect of the suite', perReason: true },
}

export function blockerOf<Code extends ObstacleCode>(
  code: Code,
  facts: ObstacleFacts[Code],
  exchange?: number,
): Blocker {
  const { kind, says, mend } = obstacles[code]
  const helps = typeof mend === 'function' ? mend(facts) : mend
  return {
    ...{ kind: typeof kind === 'function' ? kind(facts) : kind, code, facts, reason: says(facts) },
    ...(helps === undefined ? {} : { mend: helps }),
    ...(exchange === undefined ? {} : { exchange }),
  }
}
