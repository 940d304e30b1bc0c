/** Situations that every area needs. If the families of servers differ, an operation of the dialect does the work. */
import {
  type AclRule,
  type Action,
  bodyWords,
  type Ceremony,
  DoesNotApply,
  del,
  type Exchange,
  type Expectation,
  filled,
  type GoverningRule,
  isRefusal,
  isSuccess,
  notAsPrepared,
  notRefusal,
  type Operation,
  operation,
  post,
  type Reply,
  requestWords,
  type Scope,
  type Step,
  StepFailed,
  unseen,
} from '../harness/vocabulary/index.ts'
import { action } from './records.ts'

/** Creates a token with these policies: `{as}`, with its accessor `{as}Accessor`. */
export const token = (as: string, policies: readonly string[], displayName?: string): Operation =>
  operation(
    'createToken',
    { as, policies, ...(displayName === undefined ? {} : { displayName }) },
    `a token \`${as}\` with the policies ${policies.join(', ')}${displayName === undefined ? '' : `, displayed as "${displayName}"`}`,
    [as, `${as}Accessor`],
  )

/** Provides `{as}`, the text of an ACL policy with these rules. */
export const aclDocument = (as: string, rules: readonly AclRule[], language: 'hcl' | 'json' = 'hcl'): Operation =>
  operation(
    'aclDocument',
    { as, rules, language },
    `\`${as}\` is the text of an ACL policy${language === 'json' ? ' in JSON' : ''}`,
    [as],
  )

/** Writes the text `{as}` as an ACL policy at the older path, which only servers of this family have. */
const policyByOlderPath = (name: string, as: string, words: string): Operation =>
  operation('writePolicy', { name, text: as }, words)

/** Writes an ACL policy with these rules, on any version, for checks that do not judge policies. Uses the older path,
 * which only servers of this family have, and if that does not apply, the path of the documents, which only newer
 * versions have. */
export const aclPolicy = (name: string, rules: readonly AclRule[]): readonly Step[] => {
  const as = `${name.replaceAll(/\W/g, '')}Text`
  const words = `an ACL policy \`${name}\` for ${rules.map(({ path }) => path).join(', ')}`
  const older = policyByOlderPath(name, as, words)
  const path = `sys/policies/acl/${name}`
  const documented = post(path, { policy: `{${as}}` }, { words, undo: del(path) })
  const writing: Action = {
    ...{ kind: 'action', words, touches: [documented], performs: [older] },
    async run(scope) {
      try {
        await scope.perform(older)
      } catch (error) {
        if (!(error instanceof DoesNotApply)) throw error
        await scope.perform(documented)
      }
    },
  }
  return [aclDocument(as, rules), writing]
}

const ruleWords = (rule: GoverningRule): string => {
  if (rule === 'allow') return 'allows every request'
  return 'denyPath' in rule ? `denies \`${rule.denyPath}\` only` : `denies \`${rule.denyBelow}…\` only`
}

/** Provides `{as}`, the text of a governing policy with this rule. */
export const governingDocument = (as: string, rule: GoverningRule): Operation =>
  operation('governingDocument', { as, rule }, `\`${as}\` is the text of a governing policy that ${ruleWords(rule)}`, [
    as,
  ])

const withPolicies = (policies: readonly string[]): string =>
  policies.length > 0 ? `with the policies ${policies.join(', ')}` : 'with no policies'

/** Creates a user who can log in. The throw-away name `as` is the name of the user, and `{as}Id` is the id of the
 * entity, which may have policies of its own. */
export const user = (as: string, policies: readonly string[], entityPolicies: readonly string[] = []): Operation =>
  operation(
    'createUser',
    { as, policies, ...(entityPolicies.length > 0 ? { entityPolicies } : {}) },
    `a user \`${as}\` ${withPolicies(policies)}${entityPolicies.length > 0 ? `, and an entity ${withPolicies(entityPolicies)}` : ''}`,
    [`${as}Password`, `${as}Id`],
  )

/** Creates an entity without a login. The throw-away name `as` is its name. `space` is the path of a namespace. */
export const entity = (as: string, space?: string): Operation =>
  operation(
    'createEntity',
    { as, ...(space === undefined ? {} : { in: space }) },
    `an entity \`${as}\`${space === undefined ? '' : ` of the namespace \`${space}\``}`,
    [`${as}Id`],
  )

/** Creates a namespace. The throw-away name `as` is its name, and paths in it begin with that name. */
export const namespace = (as: string): Operation => operation('createNamespace', { as }, `a namespace \`${as}\``)

/** Logs a user in: `{as}` is a token with an entity. */
export const login = (name: string, as: string): Operation =>
  operation('login', { user: name, as }, `\`${name}\` can log in, with the token \`${as}\``, [
    as,
    `${as}Accessor`,
    `${as}Entity`,
  ])

/** Provides `{as}`, the name of the request header that, with the value `true`, overrides soft-mandatory policies. */
export const override = (as: string): Operation =>
  operation('override', { as }, 'a request can ask for an override', [as])

/** Provides `{as}`, the base64 of a text that an earlier step provided. */
export const inBase64 = (text: string, as: string) =>
  action(`\`${as}\` is \`${text}\` in base64`, { provides: [as] }, async (scope) => {
    scope.save(as, Buffer.from(scope.value(text)).toString('base64'))
  })

/** Requires that the request is refused before the judged request: otherwise no change could be observed. */
export const refusedSoFar = (exchange: Exchange) =>
  action(`${requestWords(exchange)} is refused before`, { touches: [exchange] }, async (scope) => {
    const reply = await scope.send(exchange)
    if (!isRefusal(reply)) throw notAsPrepared(notRefusal(reply), reply)
  })

/** Sends a request that a server may refuse, because the documents do not say that it must accept it. If it is refused,
 * the check does not apply. */
export const whereTaken = (exchange: Exchange) =>
  action(`${requestWords(exchange)}, if the target accepts it`, { touches: [exchange] }, async (scope) => {
    assertTaken(await scope.send(exchange))
  })

/** Sends both requests without waiting for the first reply. A server may refuse a write while another one is running. */
export const atOnce = (one: Exchange, other: Exchange): Ceremony => ({
  kind: 'ceremony',
  words: `${requestWords(one)}, at the same time as another one${bodyWords(other.body)}`,
  touches: [one, other],
  async run(scope) {
    const replies = await Promise.all([scope.send(one), scope.send(other)])
    for (const reply of replies) assertTaken(reply)
    return replies[1]
  },
})

/** Sends a request that may succeed or be refused. */
export const attempted = (exchange: Exchange) =>
  action(`${requestWords(exchange)}, which may be refused`, { touches: [exchange] }, async (scope) => {
    await scope.send(exchange)
  })

/** Throws `DoesNotApply` if the request was refused. */
export function assertTaken(reply: Reply): void {
  if (!isSuccess(reply))
    throw DoesNotApply.refused(reply, `${reply.asked} is refused, and no statement says that it must be taken`)
}

/** Judges the expectation if the request was accepted: otherwise the state does not show what it leaves unchanged. */
export const ifTaken = (expectation: Expectation): Expectation => ({
  ...expectation,
  judge(seen, before) {
    assertTaken(seen.reply)
    return expectation.judge(seen, before)
  },
})

/** Judges the expectation unless the request is refused, which no statement forbids. What was judged before stays judged. */
export const unlessRefused = (expectation: Expectation): Expectation => ({
  ...expectation,
  judge: (seen, before) => (isRefusal(seen.reply) ? undefined : expectation.judge(seen, before)),
})

/** Judges the expectation only if the request is accepted. If it is refused, the check does not apply, because no
 * statement says that it must be accepted. */
export const ifAccepted = (expectation: Expectation): Expectation => ({
  ...expectation,
  judge(given, before) {
    assertTaken(given.reply)
    return expectation.judge(given, before)
  },
})

/** Requires that the target shows this before the judged request: otherwise its absence or presence afterwards would
 * prove nothing. */
export const shownSoFar = (exchange: Exchange, expectation: Expectation) =>
  action(`${requestWords(exchange)}: ${expectation.words} before`, { touches: [exchange] }, async (scope) => {
    const reply = await scope.send(exchange)
    const found = await expectation.judge({ reply, scope }, undefined)
    if (found) throw notAsPrepared(found, reply)
  })

/** Returns the prefix that all throw-away names of a check have, and no other object: `assay-<run>-<n>-`. `name` is one
 * of these names. */
export function ownPrefixFrom(scope: Scope, name: string): string {
  const value = scope.value(name)
  if (!value.toLowerCase().endsWith(`-${name}`))
    throw new StepFailed('saved-invalid', { name, what: 'a throw-away name in full' })
  return value.slice(0, -name.length)
}

/** Sends the request with a body that lacks its last brace, so that it is not JSON. */
export const cutShort = (exchange: Exchange): Ceremony => {
  const { body = {}, ...others } = exchange
  return {
    kind: 'ceremony',
    words: `${requestWords(exchange)}, in JSON that lacks its last brace`,
    touches: [exchange],
    isMalformed: true,
    run: (scope) => scope.send({ ...others, rawBody: JSON.stringify(filled(body, scope)).slice(0, -1) }),
  }
}

/** The witness of a refused request that only reads. */
export const readingOnly = unseen('it only reads')

/** Sends many requests, a few of them at the same time, and returns the replies in order. A request that does not get
 * through is sent again alone. */
export async function sentTogether(
  scope: Scope,
  exchanges: readonly Exchange[],
  together = 7,
): Promise<readonly Reply[]> {
  const replies: Reply[] = []
  for (let at = 0; at < exchanges.length; at += together) {
    const some = exchanges.slice(at, at + together)
    const outcomes = await Promise.allSettled(some.map((exchange) => scope.send(exchange)))
    for (const [index, exchange] of some.entries()) {
      const outcome = outcomes[index]
      replies.push(outcome?.status === 'fulfilled' ? outcome.value : await scope.send(exchange))
    }
  }
  return replies
}
