import type { SharedGround, Topic } from '../../harness/vocabulary/index.ts'
import { hiding } from '../no-secret.ts'
import { replicating } from '../replication/given.ts'
import { dr } from '../replication/kind.ts'
import { attemptCancel, attemptRead } from '../replication/operation-token.ts'
import { topic as bare } from '../replication/topic.ts'

const conditions = hiding({
  requirement: 'dr-replication.attempt.otp-hidden',
  asked: /^(?:GET \S+\/generate-operation-token\/attempt|(?:POST|PUT) \S+\/generate-operation-token\/update)$/,
  names: ['otp'],
  what: 'one-time password',
})

/** A secondary that is in touch with its primary. Only it knows of attempts, and each check leaves none. */
const joinedPair: SharedGround = {
  lock: 'clusters',
  givens: [replicating(dr)],
  needs: ['clusters', 'key-shares'],
  neighbours: 'before-each',
  leave:
    /^(GET sys\/replication\/dr\/status|(GET|POST|DELETE) sys\/replication\/dr\/secondary\/generate-operation-token\/(attempt|update))$/,
  restores: [{ after: /attempt$/, sends: attemptCancel() }],
  frame: [attemptRead()],
}

/** Makes a topic in which no reply after the start of an attempt may show its one-time password. */
export const topic = (id: string, body: Omit<Parameters<typeof bare>[1], 'conditions'>): Topic =>
  bare(id, { ...body, conditions, grounds: [joinedPair] })
