/** A policy that stands on both clusters of a performance replication, and is changed there. */
import {
  del,
  type Exchange,
  type Expectation,
  fieldOf,
  get,
  isSuccess,
  mismatch,
  post,
  type Reply,
  type Scope,
  StepFailed,
} from '../../../harness/vocabulary/index.ts'
import { aclDocument } from '../../given.ts'
import { action } from '../../records.ts'
import type { Cluster } from '../kind.ts'
import { askWhenReady } from '../readiness.ts'
import { eventually } from '../timing.ts'

const path = 'sys/policies/acl/{shared}'
const read = (cluster: Cluster): Exchange =>
  get(path, { cluster, words: `the policy \`shared\` is read on ${cluster}` })
const written = (cluster: Cluster, text: string): Exchange =>
  post(
    path,
    { policy: `{${text}}` },
    { cluster, words: `the policy \`shared\` is written on ${cluster}`, undo: del(path, { cluster }) },
  )

const textIn = (reply: Reply): string | undefined => {
  const text = isSuccess(reply) ? fieldOf(reply, 'policy') : undefined
  return typeof text === 'string' && text !== '' ? text : undefined
}

const documents = [
  aclDocument('firstText', [{ path: 'sys/mounts', capabilities: ['read'] }]),
  aclDocument('lastText', [{ path: 'sys/auth', capabilities: ['read'] }]),
]

/** The documents do not say which data a secondary gets, so a policy that cannot be made is no obstacle. */
async function asFarAsAccepted(scope: Scope): Promise<void> {
  try {
    for (const step of [...documents, written('main', 'firstText')]) await scope.perform(step)
  } catch (error) {
    if (!(error instanceof StepFailed) || !['step-refused', 'dialect-lacks'].includes(error.code)) throw error
  }
}

export const policyMade = action(
  'main has a policy `shared`, as far as it accepts one',
  { touches: [written('main', 'firstText')], performs: documents, provides: ['firstText', 'lastText'] },
  asFarAsAccepted,
)

/** Reads the policy on the secondary, which a server may keep in memory from then on. */
export const policySeen = action(
  'the policy `shared` is read on second, as far as it has come',
  { touches: [read('second')], provides: ['seenPolicy'] },
  async (scope) => {
    if (!scope.has('lastText')) return
    const text = textIn(await eventually(scope, read('second'), (seen) => textIn(seen) !== undefined, 'arrival'))
    if (text !== undefined) scope.save('seenPolicy', text)
  },
)

/** Expects that a secondary which accepts another text of a policy comes to show it. */
export const showsItsPolicy: Expectation = {
  words: 'second comes to show another text of the policy `shared` if it accepts one',
  touches: [written('second', 'lastText'), read('second')],
  async judge({ scope }) {
    if (!scope.has('seenPolicy')) return undefined
    const before = scope.value('seenPolicy')
    if (!isSuccess(await askWhenReady(scope, written('second', 'lastText')))) return undefined
    const seen = await eventually(scope, read('second'), (one) => ![undefined, before].includes(textIn(one)))
    return textIn(seen) === before ? mismatch(seen, 'policy', 'what was written last', 'what it was before') : undefined
  },
}
