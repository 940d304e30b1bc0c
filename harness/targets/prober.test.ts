import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { patient } from '../whole-runs/patience.test-bed.ts'
import { createClient } from '../wire/client.ts'
import { rawServer } from '../wire/scripted-server.ts'
import { vault } from './dialects/vault.ts'
import { probe } from './probe.ts'
import { resolveTarget } from './resolve.ts'

type Answer = string | { readonly status: string; readonly text: string } | undefined
const health = '{"initialized":true,"sealed":false,"version":"1.14.0","cluster_id":"c-1"}'

/** Answers with this text, by default with status 200, or not at all if there is none. */
async function probed(answer: (head: string) => Answer, signal?: AbortSignal) {
  const asked: string[] = []
  const meet = (socket: Socket, bytes: Buffer) => {
    const head = /^[A-Z]+ \S+/.exec(bytes.toString())?.[0] ?? ''
    asked.push(head)
    const answered = answer(head)
    if (answered === undefined) return
    const { status, text } = typeof answered === 'string' ? { status: '200 OK', text: answered } : answered
    socket.write(`HTTP/1.1 ${status}\r\ncontent-length: ${text.length}\r\n\r\n${text}`)
  }
  const server = await rawServer((socket, _nth, first) => {
    meet(socket, first)
    socket.on('data', (bytes) => meet(socket, bytes))
  })
  onTestFinished(() => server.close())
  const target = resolveTarget({ target: server.url }, { ASSAY_TOKEN: 'a-token' })
  if (!target) throw new TypeError('a URL makes a target')
  // Long enough for a reply on a busy machine.
  const client = createClient(target, { timeoutMs: patient(1000), maxRps: 0, environment: {} })
  onTestFinished(() => client.close())
  const seen = await probe({
    ...{ target, dialect: vault, client, wanted: () => [], areas: ['policies'], record: () => {} },
    ...(signal ? { signal } : {}),
  })
  if ('unreachable' in seen) throw new Error(seen.unreachable)
  return { seen, asked, client }
}

const codes = (seen: { findings: readonly { code: string }[] }) => seen.findings.map(({ code }) => code)

describe('a probe', () => {
  test('stops after two late replies', async () => {
    const { seen, asked } = await probed((head) => (head === 'GET /v1/sys/health' ? health : undefined))
    expect(asked).toHaveLength(3)
    expect(codes(seen)).toContain('probe-late')
    expect(seen.blocker).toMatchObject({ kind: 'transport' })
  })

  test('asks for lists by GET if the method LIST gets no reply, and reports that', async () => {
    const { seen, asked, client } = await probed((head) => {
      if (head === 'GET /v1/sys/health') return health
      return head.startsWith('LIST') ? undefined : '{"data":{"keys":["a"],"mode":"disabled"}}'
    })
    expect(asked.filter((head) => head.startsWith('LIST'))).toHaveLength(1)
    expect(asked).toContain('GET /v1/sys/policies/rgp?list=true')
    expect(client.lists.by).toBe('GET')
    expect(seen.findings.find(({ code }) => code === 'list-by-get')?.text).toMatch(
      /^the method LIST does not get through \(no complete reply .* ms\): lists are requested by GET/,
    )
    expect(codes(seen)).not.toContain('probe-late')
  })

  test.each([
    ['community', health, '{"errors":["unsupported path"]}'],
    ['premium', health.replace('{', '{"enterprise":true,'), '{"errors":[]}'],
  ])('sees that the edition is %s although a proxy refuses the method LIST', async (edition, text, governing) => {
    const answers: Readonly<Record<string, Answer>> = {
      'GET /v1/sys/health': text,
      'GET /v1/sys/policies/rgp?list=true': { status: '404 Not Found', text: governing },
      'GET /v1/sys/replication/dr/status': { status: '404 Not Found', text: '{"errors":[]}' },
    }
    const { seen, asked, client } = await probed((head) =>
      head.startsWith('LIST')
        ? { status: '400 Bad Request', text: '' }
        : (answers[head] ?? '{"data":{"keys":["default","root"]}}'),
    )
    expect(seen.facts.edition).toBe(edition)
    expect(client.lists.by).toBe('GET')
    expect(asked.filter((head) => head.startsWith('LIST'))).toHaveLength(1)
    expect(codes(seen)).toContain('list-by-get')
  })

  test('stops asking for lists if neither LIST nor GET gets a reply', async () => {
    const { seen, asked, client } = await probed((head) => {
      if (head === 'GET /v1/sys/health') return health
      return /^LIST|list=true/.test(head) ? undefined : '{"data":{"mode":"disabled"}}'
    })
    expect(asked.filter((head) => /^LIST|list=true/.test(head))).toHaveLength(2)
    expect(client.lists.by).toBe('nothing')
    expect(codes(seen)).toContain('list-unanswered')
  })

  test('sends nothing more after the end of the run', async () => {
    const stop = new AbortController()
    const { asked } = await probed((head) => {
      stop.abort()
      return head === 'GET /v1/sys/health' ? health : undefined
    }, stop.signal)
    expect(asked).toEqual(['GET /v1/sys/health'])
  })
})
