/** Why a check has no verdict of its own: the wording and the remedy for each obstacle code. This is the only table of
 * these words. */

import { advised } from './advised.ts'
import { gatewayIn } from './answerer.ts'
import type { Answered, Blocker, FoundOtherwise, ObstacleCode, ObstacleFacts, ObstacleKind } from './obstacles.ts'
import { saysNothing } from './reply.ts'

interface Words<Code extends ObstacleCode> {
  readonly kind: ObstacleKind | ((facts: ObstacleFacts[Code]) => ObstacleKind)
  /** Returns a clause, without a capital letter and full stop. */
  says(facts: ObstacleFacts[Code]): string
  /** What the reader can do; absent if nothing has to be done. */
  readonly mend?: string | ((facts: ObstacleFacts[Code]) => string)
  /** The remedy only says where to look, so each reason is a cause of its own, even if the remedies are equal. */
  readonly perReason?: true
}

const says = ({ says }: { readonly says: string }): string => says
const policy = `give a token with the policy that \`${advised.policy()}\` prints`
const onCluster = ({ asked, cluster }: Answered): string => (cluster === undefined ? asked : `${asked} on ${cluster}`)
const otherwise = ({ asked, at, wanted, saw }: FoundOtherwise): string => `${asked}: wanted ${at} ${wanted}; saw ${saw}`
const isServed = (answer: string): boolean => /^2\d\d/.test(answer)
const morePatience = 'raise patienceSeconds in the profile if the target only needs more time'
const inSeconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`
const ownTroubles = ({ stalledMs, lateMs, cutOff }: ObstacleFacts['own-side']): string =>
  [
    ...(stalledMs > 0 ? [`this machine stood still for ${inSeconds(stalledMs)}`] : []),
    ...(lateMs > 0 ? [`the provider stub was ${inSeconds(lateMs)} late`] : []),
    ...(cutOff > 0 ? [`the provider stub had ${cutOff} of its replies cut off`] : []),
  ].join(', and ')
const sameProvider =
  'make sure that the target calls the provider at the address that "provider" in the profile advertises'

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
        ? `this holds for ${wanted}, and it is not known whether the target has that`
        : `the target's ${fact} is not known, and this holds for ${wanted}`,
    mend: ({ declare }) => `give declared.${declare} in the profile`,
  },
  'left-open': { kind: 'optional', says },
  'above-the-ceiling': {
    kind: 'safety',
    says: ({ safety, ceiling }) => `the check is ${safety}, but this run only admits checks up to ${ceiling}`,
    mend: ({ safety }) =>
      `run with --safety ${safety}${safety === 'disruptive' ? ' and --allow-disruptive <cluster-id>' : ''}`,
  },
  'not-provided': {
    kind: 'need',
    says: ({ needs }) => `the profile does not provide ${needs.join(', ')}`,
    mend: ({ lines }) => `add to the profile: ${lines.join('; ')}`,
  },
  'not-initialized': { kind: 'need', says: () => 'the target is not initialized', mend: 'initialize and unseal it' },
  sealed: { kind: 'need', says: () => 'the target is sealed', mend: 'unseal it' },
  'no-token': {
    kind: 'permission',
    says: () => 'no token was given',
    mend: 'set ASSAY_TOKEN, or name one in the profile',
  },
  'token-unheard': {
    kind: 'transport',
    says: ({ told }) => `the target did not reply to every request that tries the token (${told})`,
    mend: ({ mend }) => mend,
  },
  'token-unanswered': {
    kind: 'transport',
    says: ({ told }) => `the target could not serve the requests that try the token (${told})`,
    mend: 'run again once the target serves requests',
  },
  'token-invalid': {
    kind: 'permission',
    says: ({ url, told }) => `${url} does not know the token: it is wrong, expired or revoked (${told})`,
    mend: 'give a token that is valid there',
  },
  'token-refused': {
    kind: 'permission',
    says: ({ url, told }) =>
      `${url} refuses every request with the token: it is not valid there, or its policy allows nothing that a run needs (${told})`,
    mend: `give a token that is valid there, with the policy that \`${advised.policy()}\` prints`,
  },
  'token-untold': {
    kind: 'need',
    says: ({ url, told }) => `the replies from ${url} do not show whether the token is valid (${told})`,
    mend: 'fix the URL or the namespace, or check whether a proxy replies in place of the target',
  },
  'token-replaced': {
    kind: 'need',
    says: ({ url }) =>
      `a token that nobody issued is served at ${url} as if it were yours: something in front of the target, such as an agent with a token of its own, replaces tokens, or the target checks none`,
    mend: 'judge the target at its own address',
  },
  'token-counted': {
    kind: 'permission',
    says: ({ uses }) =>
      `the token may be used ${uses} more ${uses === 1 ? 'time' : 'times'}, so it may end before the run has taken back what it made`,
    mend: 'give a token without a limit on its uses',
  },
  denied: {
    kind: 'permission',
    says: ({ asked, lacks, isReported }) =>
      isReported
        ? `${asked} was denied to the operator's token, which lacks ${lacks}`
        : `${asked} was denied to the operator's token, and the target does not report that the token has ${lacks}`,
    mend: ({ lacks }) => `${policy}: it grants ${lacks}`,
  },
  'not-undoable': {
    kind: 'permission',
    says: ({ asked, lacks }) => `what ${asked} makes could not be taken back: the operator's token lacks ${lacks}`,
    mend: ({ lacks }) => `${policy}: it grants ${lacks}`,
  },
  'token-lost': {
    kind: 'permission',
    says: ({ asked }) =>
      `${asked} was denied to the operator's token, and so was looking up the token itself: it has expired or was revoked`,
    mend: 'give a token that stays valid for the whole run, and run again',
    perReason: true,
  },
  'step-denied': {
    kind: 'permission',
    says: ({ asked, answer, as }) => `${asked} was denied${as ? ` to ${as}` : ''} (${answer})`,
    mend: ({ as }) => (as ? `check on the target why ${as} may not do this` : policy),
  },
  'step-refused': {
    kind: 'given',
    says: (facts) => `${onCluster(facts)} answered ${facts.answer}`,
    mend: 'look at the exchange, and fix what its reply complains about, on the target or in the profile',
    perReason: true,
  },
  'control-refused': {
    kind: 'control',
    says: ({ asked, answer }) => `the control ${asked} answered ${answer}`,
    mend: 'look at the exchange, and fix on the target what its reply complains about: this request must succeed',
    perReason: true,
  },
  'not-shown': {
    kind: 'given',
    says: (facts) =>
      isServed(facts.answer)
        ? `the reply to ${onCluster(facts)} does not show ${facts.what}`
        : `${onCluster(facts)} answered ${facts.answer}, and does not show ${facts.what}`,
    mend: 'look at the exchange: if the reply shows this in another form, report the form; if it does not, accept that the check cannot be verified',
    perReason: true,
  },
  unreadable: {
    kind: 'given',
    says: (facts) => `cannot read the current state: ${onCluster(facts)} answered ${facts.answer}`,
    mend: 'check on the target why it refuses this read',
    perReason: true,
  },
  'not-as-prepared': {
    kind: 'given',
    says: otherwise,
    mend: 'look at the exchange, and at the findings about the same request; if someone else changed the target meanwhile, run again',
    perReason: true,
  },
  'rests-on': {
    kind: 'rests-on',
    says: otherwise,
    mend: ({ check }) => `look at the result of ${check} first: it decides what this check builds on`,
  },
  'not-in-time': {
    kind: 'given',
    says: ({ what, saw }) => `waited for ${what} until the timeout; last seen: ${saw}`,
    mend: morePatience,
  },
  'no-effect': {
    kind: 'given',
    says: ({ asked, seenBy }) => `${asked} succeeds, but ${seenBy} shows no effect of it`,
    mend: 'look at both exchanges: if the effect shows elsewhere, report it; if it does not, the target ignores the request',
    perReason: true,
  },
  indistinct: {
    kind: 'given',
    says: ({ asked, absent }) => `${asked} succeeds for ${absent}, so its successes prove nothing`,
    mend: 'check whether a proxy or a cache replies in place of the target',
    perReason: true,
  },
  restless: {
    kind: 'given',
    says: ({ what }) => `${what} changes even before the judged request`,
    mend: 'run again while nobody else uses the target',
  },
  'saved-invalid': {
    kind: 'given',
    says: ({ name, what }) => `what an earlier step saved as \`${name}\` is not ${what}`,
    mend: 'look at the exchange of the step that saved it',
    perReason: true,
  },
  'value-too-long': {
    kind: 'reply-size',
    says: ({ asked, name, length, most }) =>
      `the reply to ${asked} has a \`${name}\` of ${length} characters, and a request can repeat at most ${most}`,
    mend: 'check why the target returns such a long value',
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
    mend: 'make the target, or the proxy in front of it, send the Date header',
  },
  'picture-too-large': {
    kind: 'reply-size',
    says: ({ asked, width, height }) =>
      `${asked} returned a picture of ${width} by ${height} pixels, which is too large to be read`,
    mend: 'check why the target draws such a large picture for the `qr_size` that the check sets',
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
    says: ({ cluster, given }) => `the profile has too few or wrong key shares of ${cluster} (${given} given)`,
    mend: ({ cluster }) => `give enough valid key shares of ${cluster} in its keySharesFile`,
  },
  'wait-too-long': {
    kind: 'need',
    says: ({ why, seconds, most }) => `${why}: this takes ${seconds} s, and the longest wait allowed is ${most} s`,
    mend: ({ seconds }) => `run with --max-wait ${Math.ceil(seconds)}`,
  },
  'control-listener': {
    kind: 'transport',
    says: ({ operation, answer }) => `the control listener does not ${operation} (${answer})`,
    mend: 'make sure that "control" in the profile is the control listener of a running reference server',
  },
  'provider-not-called': {
    kind: 'need',
    says: ({ address, answers }) => `the target has not called the provider at ${address} (${answers})`,
    mend: ({ wasAsked }) =>
      wasAsked
        ? 'set "provider.advertise" in the profile to an address that the target can reach'
        : 'check in the exchanges why the target rejects all roles that would make it call the provider',
  },
  'provider-shows-no': {
    kind: 'given',
    says: ({ what, asked }) => `${asked === undefined ? '' : `${asked} succeeds, but `}the provider shows no ${what}`,
    mend: sameProvider,
  },
  'provider-log-full': {
    kind: 'given',
    says: () => 'the target sent the provider more calls than the log of an account can hold',
    mend: 'check in the log of the target why it repeats its calls',
  },
  'plugin-unusable': {
    kind: 'need',
    says: ({ step, asked, answer }) => `the plugin of the profile cannot be ${step}: ${asked} answered ${answer}`,
    mend: ({ step }) =>
      step === 'registered'
        ? 'check that command, sha256 and type under "pluginFiles" match a file in the plugin directory of the target'
        : 'check that the file under "pluginFiles" is a plugin that runs, and that its sha256 is right',
  },
  'plugin-version-fixed': {
    kind: 'need',
    says: ({ command, version }) =>
      `the target registers ${command} under version ${version}, which the plugin itself reports, and ignores the requested version`,
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
    says: ({ asked }) => `${asked} succeeds, but nothing shows whether the plugin runs`,
    mend: 'set "reads" under "pluginFiles" to a path that the plugin serves',
  },
  'journal-unwritable': {
    kind: 'given',
    says: ({ file, why }) =>
      `the journal ${file} cannot be written (${why}), so the run creates nothing more on the target`,
    mend: 'free some space, or name another folder with --out',
  },

  'no-way-back': {
    kind: 'given',
    says: ({ told }) => `this run gives roles to no more clusters, because it could not undo one: ${told}`,
    mend: 'restore that cluster by hand, check why it refused the restoration and whether the key shares are right, and run again',
  },
  'own-side': {
    kind: 'transport',
    says: (facts) =>
      `what was seen contradicts the requirement, but meanwhile ${ownTroubles(facts)}, so it may be of this machine's making`,
    mend: 'run again on a machine that is less busy, or with a lower --jobs',
  },
  'connection-cut': {
    kind: 'transport',
    says: ({ asked, cuts }) =>
      `the target cut the connection at ${asked} (${cuts === 1 ? 'once' : `${cuts} times of ${cuts}`}), but replies to other requests`,
    mend: 'check what the log of the target, or of the proxy in front of it, says about this request',
    perReason: true,
  },
  'nodes-differ': {
    kind: 'transport',
    says: ({ asked, words }) => `${asked}: ${words}`,
    mend: 'run against the active node, whose address sys/leader tells, or wait until all nodes are healthy',
  },
  'poll-unanswered': {
    kind: 'transport',
    says: ({ asked, trouble }) => `polled ${asked} until the timeout; last error: ${trouble}`,
    mend: 'check whether the target is up, and raise patienceSeconds in the profile if it only needs more time',
  },
  'no-reply': {
    kind: 'transport',
    says: ({ asked, trouble }) => `${asked}: ${trouble}`,
    mend: 'check whether the network lets requests through to the target, and run again',
  },
  'target-failing': {
    kind: 'failing-target',
    says,
    mend: 'check whether the target is up, and what is in front of it, and run again',
  },
  'in-the-way': {
    kind: 'failing-target',
    says: ({ attempts, ...reply }) => `${saysNothing(reply)}${attempts > 1 ? ` (${attempts} attempts)` : ''}`,
    mend: 'run again once what is in front of the target lets requests through; a server that refuses with such a status cannot be judged by its refusals',
  },
  'gateway-answered': {
    kind: 'failing-target',
    says: ({ asked, status, who }) => `${asked} was answered ${status} by ${who}, and not by the target`,
    mend: ({ who }) =>
      `judge the target at its own address, or let ${gatewayIn(who)} pass its replies on as they are: a reply of something else shows nothing about the target`,
  },
  'query-strings-lost': {
    kind: 'failing-target',
    says: ({ asked }) => `query strings do not reach the target, as the reply to ${asked} shows`,
    mend: 'judge the target at its own address, or let what stands in front of it pass query strings on',
  },
  'secret-as-id': {
    kind: 'given',
    says: () => 'the target gave a secret of the run as the id of an object, and no journal may hold it',
    mend: 'check why the target answers with the token, or with another secret that was sent to it',
  },
  'reply-too-large': {
    kind: 'reply-size',
    says: ({ asked, trouble }) => `${asked}: ${trouble}`,
    mend: 'check why the target sends so much; harness/bounds.md lists the bounds on the size of replies',
    perReason: true,
  },
  interrupted: { kind: 'interrupted', says: () => 'the run was interrupted', mend: 'run again' },
  'time-over': {
    kind: 'time',
    says: ({ seconds }) => `the run had ${seconds} s, and they are over`,
    mend: ({ seconds }) => `give it more time with --max-duration, now ${seconds}, or fewer checks`,
  },
  'failed-fast': {
    kind: 'interrupted',
    says: () => 'another check failed before, and the run ended there',
    mend: 'fix what failed, or run again without --fail-fast',
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
