import { describe, expect, test } from 'vitest'
import { troubleOf } from '../wire/trouble.ts'
import { resolveTarget } from './resolve.ts'
import type { ResolvedTarget } from './target.ts'
import { unreachableOf } from './unreachable.ts'

const host = 'vault.example:8200'

function wordsOf(error: object, more: { proxy?: string; cert?: string } = {}): string | undefined {
  const { proxy, cert } = more
  const trouble = troubleOf(Object.assign(new Error('it broke'), error), { host, proxy }, true)
  const bare = resolveTarget({ target: `https://${host}` }, {}) as ResolvedTarget
  const target = { ...bare, tls: { ...bare.tls, ...(cert ? { cert } : {}) } }
  const attempts = [{ sentAt: 0, durationMs: 1, trouble }]
  return unreachableOf({ url: target.url, headers: {}, attempts, trouble: trouble.words }, target)?.unreachable
}

const alerted = (words: string) => ({
  code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
  message: `80CC91CE7F:error:0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert ${words}:../x.c:1601:SSL alert number 116\n`,
})

describe('the message about an unreachable target contains the fix', () => {
  test.each([
    ['no listener', { code: 'ECONNREFUSED' }, {}, 'nothing listens at vault.example:8200. Start the server'],
    ['a dead proxy', { code: 'ECONNREFUSED' }, { proxy: 'proxy:3128' }, 'fix HTTP_PROXY or HTTPS_PROXY'],
    ['a proxy that refuses', { message: 'Proxy response (407)' }, { proxy: 'proxy:3128' }, 'fix HTTP_PROXY'],
    ['no client certificate', alerted('certificate required'), {}, 'give one with --client-cert and --client-key'],
    [
      'no client certificate, in TLS 1.2',
      alerted('handshake failure'),
      {},
      'give one with --client-cert and --client-key',
    ],
    ['a wrong client certificate', alerted('unknown ca'), { cert: 'x' }, 'does not accept the client certificate'],
    ['an unknown authority', { code: 'SELF_SIGNED_CERT_IN_CHAIN' }, {}, 'with --ca-cert'],
    [
      'a certificate of another name',
      {
        code: 'ERR_TLS_CERT_ALTNAME_INVALID',
        message: "Hostname/IP does not match certificate's altnames: IP: 10.0.0.1",
      },
      {},
      '10.0.0.1. Give a host name of its certificate in the URL.',
    ],
    [
      'a name that no certificate is for',
      {
        code: 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME',
        message: '80CC91CE7F:error:0A000458:SSL routines:f:tlsv1 unrecognized name:x',
      },
      {},
      'Give a host name of its certificate in the URL.',
    ],
    ['an old certificate', { code: 'CERT_HAS_EXPIRED', message: 'certificate has expired' }, {}, 'set the clock'],
    ['a wrong clock', { code: 'CERT_NOT_YET_VALID', message: 'certificate is not yet valid' }, {}, 'set the clock'],
    ['a wrong name', { code: 'ENOTFOUND' }, {}, 'Fix the host name in the URL'],
    ['no TLS', { code: 'ERR_SSL_WRONG_VERSION_NUMBER', message: 'wrong version number' }, {}, 'write http://'],
    [
      'a connection closed without a reply',
      { code: 'UND_ERR_SOCKET' },
      {},
      'or wants a client certificate (--client-cert)',
    ],
  ])('%s', (_, error, more, words) => {
    expect(wordsOf(error, more)?.toLowerCase()).toContain(words.toLowerCase())
  })

  test('has one line', () => expect(wordsOf(alerted('certificate required'))).not.toMatch(/[\n]|0A00045C/))
})
