import type { Topic } from '../../harness/vocabulary/index.ts'
import { hiding } from '../no-secret.ts'
import { topic as bare } from '../replication/topic.ts'

const conditions = hiding({
  requirement: 'dr-replication.attempt.otp-hidden',
  asked: /^(?:GET \S+\/generate-operation-token\/attempt|(?:POST|PUT) \S+\/generate-operation-token\/update)$/,
  names: ['otp'],
  what: 'one-time password',
})

/** Makes a topic in which no reply after the start of an attempt may show its one-time password. */
export const topic = (id: string, body: Omit<Parameters<typeof bare>[1], 'conditions'>): Topic =>
  bare(id, { ...body, conditions })
