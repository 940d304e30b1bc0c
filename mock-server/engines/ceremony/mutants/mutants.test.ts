/** Runs a ceremony without a mutant and with each mutant, and compares what a caller can see. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type ReplicationKind, replicationKinds } from '../../../kernel/cluster/cluster-role.ts'
import {
  byOneTimePassword,
  byPgp,
  type Ceremony,
  dr,
  forged,
  openCeremony,
  operation,
  type PgpPair,
  pgpPair,
} from '../../../test-beds/ceremony.test-bed.ts'
import { mutants } from './index.ts'

type Body = Readonly<Record<string, unknown>>

let pairs: readonly [PgpPair, PgpPair]
beforeAll(async () => {
  pairs = [await pgpPair(), await pgpPair()]
})

/** Reduces a reply to what is the same in every run: of random values, only whether they are present. */
const shapeOf = ({ status, body }: { readonly status: number; readonly body: Body }, otp?: unknown) => ({
  status,
  nonce: body.nonce === undefined ? 'absent' : body.nonce !== '',
  progress: body.progress,
  required: body.required,
  complete: body.complete,
  token: Boolean(body.encoded_token),
  plain: Boolean(body.token),
  fingerprint: Boolean(body.pgp_fingerprint),
  otp: otp ? JSON.stringify(body).includes(String(otp)) : 'otp' in body,
})

/** Returns the requests of one operator to one server, and the list in which the shapes of the replies are noted. */
function operatorOf(ceremony: Ceremony) {
  const notes: unknown[] = []
  const { ask } = ceremony
  const start = (sent: object = {}) => ask(`POST ${operation}/attempt`, sent)
  const update = (sent: object) => ask(`POST ${operation}/update`, sent)
  return {
    notes,
    start,
    update,
    note<Reply extends { status: number; body: Body }>(what: string, reply: Reply, otp?: unknown): Reply {
      notes.push([what, shapeOf(reply, otp)])
      return reply
    },
    read: () => ask(`GET ${operation}/attempt`),
    cancel: () => ask(`DELETE ${operation}/attempt`),
    remove: async (sent: object) => (await ask(`POST ${dr}/operation-token/delete`, sent)).status,
    isLive: (text: string) => ceremony.extensions.operationTokens?.isLive(text),
    async afresh(sent: object = {}): Promise<Body> {
      ceremony.extensions.operationTokens?.end()
      return (await start(sent)).body
    },
    async complete(nonce: unknown): Promise<Body> {
      return (await ceremony.give(operation, nonce)).body
    },
  }
}

const isToken = (text: string): boolean => /^s\.\w{24}$/.test(text)

/** Sends invalid and valid updates, cancels attempts, and uses an operation token until it is deleted. */
async function walkPlain(ceremony: Ceremony): Promise<readonly unknown[]> {
  const { notes, start, update, note, read, cancel, remove, isLive, afresh, complete } = operatorOf(ceremony)
  const [a = '', b = '', c = '', d = ''] = ceremony.server.keyShares
  note('update before a start', await update({ key: a, nonce: 'x' }))
  const first = note('start', await start()).body
  notes.push(['nonce', note('read', await read(), first.otp).body.nonce === first.nonce])
  note('no key', await update({ nonce: first.nonce }))
  note('no nonce', await update({ key: a }))
  note('blank nonce', await update({ key: b, nonce: '' }))
  note('after it', await read())
  await afresh()
  note('wrong nonce', await update({ key: a, nonce: 'x' }))
  note('after it', await read())
  const second = await afresh()
  note('no share', await update({ key: 'x', nonce: second.nonce }))
  note('after it', await read())
  const third = await afresh()
  note('share', await update({ key: a, nonce: third.nonce }), third.otp)
  note('read', await read(), third.otp)
  note('same share', await update({ key: a, nonce: third.nonce }))
  note('start again', await start())
  note('after it', await read())
  const fourth = await afresh()
  for (const key of [a, b, forged(c)]) note('with a forged share', await update({ key, nonce: fourth.nonce }))
  const twoGiven = await afresh()
  for (const key of [a, b]) await update({ key, nonce: twoGiven.nonce })
  note('last share with a wrong nonce', await update({ key: c, nonce: 'x' }))
  const fifth = await afresh()
  for (const key of [a, a, a]) note('one share', await update({ key, nonce: fifth.nonce }))

  const together = await afresh()
  await Promise.all([a, b].map((key) => update({ key, nonce: together.nonce })))
  note('after two shares at the same time', await read())
  ceremony.extensions.operationTokens?.end()
  const begun = await Promise.all([start(), start()])
  notes.push(['two starts at the same time', begun.map(({ status }) => status).sort()])
  const sixth = await afresh()
  await update({ key: a, nonce: sixth.nonce })
  note('cancel', await cancel())
  note('read', await read())
  const anew = note('start', await start()).body
  notes.push(['nonce of before', anew.nonce === sixth.nonce])
  note('former nonce', await update({ key: d, nonce: sixth.nonce }))

  const seventh = await afresh()
  let last: Body = {}
  for (const key of [b, c, d]) {
    last = note('to the end', await update({ key, nonce: seventh.nonce }), seventh.otp).body
  }
  notes.push(['token', isToken(byOneTimePassword(last.encoded_token, seventh.otp))])
  const eighth = await afresh()
  const living = byOneTimePassword((await complete(eighth.nonce)).encoded_token, eighth.otp)
  notes.push(['now', isLive(living)])
  notes.push(['deletion of none', await remove({}), isLive(living)])
  notes.push(['deletion of another', await remove({ dr_operation_token: `${living}x` }), isLive(living)])
  await ceremony.server.clock.advance(2 * 3600_000)
  notes.push(['after hours', isLive(living)])
  await ceremony.server.clock.advance(60 * 24 * 3600_000)
  notes.push(['after months', isLive(living)])
  const ninth = (await start()).body
  const beside = byOneTimePassword((await complete(ninth.nonce)).encoded_token, ninth.otp)
  note('after its end', await read(), ninth.otp)
  notes.push(['deleted', await remove({ dr_operation_token: living }), isLive(living), isLive(beside)])
  notes.push(['the newest deleted', await remove({ dr_operation_token: beside }), isLive(beside)])
  return notes
}

async function walkPgp(ceremony: Ceremony): Promise<readonly unknown[]> {
  const { notes, start, note, read, cancel, afresh, complete } = operatorOf(ceremony)
  const [mine, theirs] = pairs
  async function read64(encoded: unknown): Promise<string> {
    const text = await byPgp(encoded, mine).catch(() => 'not to this key')
    return isToken(text) ? 'the token' : text.length > 26 ? 'another text' : text
  }
  note('bad key', await start({ pgp_key: 'x' }))
  notes.push(['after it', (await read()).body.started])
  const first = await afresh({ pgp_key: mine.field })
  await start({ pgp_key: theirs.field })
  note('read', await read())
  const done = await complete(first.nonce)
  notes.push(['end', shapeOf({ status: 200, body: done }), await read64(done.encoded_token)])
  await afresh({ pgp_key: theirs.field })
  await cancel()
  const { body } = await start({ pgp_key: mine.field })
  notes.push(['after another', await read64((await complete(body.nonce)).encoded_token)])
  await afresh({ pgp_key: mine.field })
  await cancel()
  const bare = note('without a key', await start()).body
  notes.push(['without a key, to the end', await read64((await complete(bare.nonce)).encoded_token)])
  return notes
}

const walked = async (id?: string): Promise<string> => {
  const ceremony = await openCeremony(id ? { mutants: [id] } : {})
  try {
    const notes = [...(await walkPlain(ceremony))]
    ceremony.extensions.operationTokens?.end()
    // Encrypting with PGP is slow, and most mutants do not affect it.
    if (!id || /key|pgp|fingerprint/.test(id)) notes.push(...(await walkPgp(ceremony)))
    return JSON.stringify(notes)
  } finally {
    await ceremony.server.close()
  }
}

async function keysSeen(kind: ReplicationKind, id?: string): Promise<string> {
  const options = { isDrSecondary: false, ...(id && { mutants: [id] }) }
  const notes: unknown[] = []
  const path = `POST sys/replication/${kind}/secondary/generate-public-key`
  for (const version of ['1.2.0', '1.3.0', '1.14.0']) {
    const [own, other] = [
      await openCeremony({ ...options, version }),
      await openCeremony({ ...options, version, seed: 2 }),
    ]
    const { status, body } = await own.ask(path, {}, own.server.rootToken)
    await other.ask(path, {}, other.server.rootToken)
    const key = body.secondary_public_key
    notes.push([version, status, typeof key, typeof body.private_key, typeof body.key_pair])
    const text = own.extensions.secondaryKeys?.encryptTo(kind, String(key ?? (await fallback(own, kind))), 'text') ?? ''
    for (const { extensions } of [own, other])
      notes.push(await settled(() => extensions.secondaryKeys?.decrypt(kind, text)))
    await Promise.all([own.server.close(), other.server.close()])
  }
  return JSON.stringify(notes)
}

const fallback = async (ceremony: Ceremony, kind: ReplicationKind): Promise<unknown> => {
  const keys = ceremony.extensions.secondaryKeys as
    | { generate?: (kind: ReplicationKind) => { readonly publicKey: string } }
    | undefined
  return keys?.generate?.(kind).publicKey
}
const settled = async (run: () => unknown): Promise<unknown> => {
  try {
    return run()
  } catch {
    return 'refused'
  }
}

describe('mutants of ceremonies', () => {
  test('each differ from the unchanged server and from one another', async () => {
    const ids = mutants.map(({ id }) => id).filter((id) => !id.includes('/public-key-'))
    const plain = await walked()
    expect(await walked()).toBe(plain)
    const results = new Map<string, string>([[plain, 'none']])
    for (const id of ids) {
      const result = await walked(id)
      // Results without the PGP part are a prefix of results with it.
      const same = [...results].find(([known]) => known.startsWith(result.slice(0, -1)))
      expect([id, same?.[1]]).toEqual([id, undefined])
      results.set(result, id)
    }
  })

  test.each(replicationKinds)(
    'of public keys (%s) each differ, and affect only that kind of replication',
    async (kind) => {
      const plain = await keysSeen(kind)
      const results = new Map<string, string>([[plain, 'none']])
      for (const { id } of mutants.filter(({ id }) => id.includes('/public-key-'))) {
        const result = await keysSeen(kind, id)
        if (!id.startsWith(kind)) expect([id, result]).toEqual([id, plain])
        else {
          expect([id, results.get(result)]).toEqual([id, undefined])
          results.set(result, id)
        }
      }
    },
  )
})
