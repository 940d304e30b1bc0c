import { Command } from 'commander'
import { UsageError } from '../targets/usage-error.ts'
import { exitCodes } from '../vocabulary/index.ts'
import { number } from './options.ts'
import type { Terminal } from './terminal.ts'
import { untilStopped } from './until-stopped.ts'

interface ProviderFlags {
  readonly port: number
  readonly host: string
  readonly advertise?: string
  readonly json?: boolean
}

const examples = `
Examples:
  assay provider --port 9400          identity service at 9400, token service at 9401
  assay provider --port 0 --json      on free ports; addresses and a first account as JSON
POST <control>/accounts opens further accounts and returns them as JSON. All keys are test keys that only this server
accepts. Ctrl-C stops it.`

export const providerCommand = (terminal: Terminal, settle: (code: number) => void): Command =>
  new Command('provider')
    .description("start the stub of a cloud provider's identity and token services")
    .option(
      '--port <n>',
      'port of the identity service; the token service uses the next one; 0 chooses free ports',
      number(0, true, 65_534),
      0,
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--advertise <host>', 'host name under which others reach it')
    .option('--json', 'print the addresses and an account as one JSON line')
    .addHelpText('after', examples)
    .action(async ({ port, host, advertise, json }: ProviderFlags) => {
      const { startProvider } = await import('../../fixtures/provider/index.ts')
      const provider = await startProvider({
        host,
        ports: { iam: port, sts: port === 0 ? 0 : port + 1 },
        ...(advertise === undefined ? {} : { advertise }),
      }).catch((error: NodeJS.ErrnoException) => {
        throw new UsageError(`${host}:${port} or the next port cannot be used (${error.code}): choose another --port`)
      })
      try {
        const { iam, sts, control } = provider
        const account = provider.openAccount()
        if (json) terminal.json({ iam, sts, control, ...account })
        else {
          terminal.out(`identity service: ${iam}`)
          terminal.out(`token service: ${sts}`)
          terminal.out(`control: ${control}`)
          terminal.out(`access key: ${account.accessKey}  secret key: ${account.secretKey}  (test keys)`)
        }
        await untilStopped(terminal.signal)
      } finally {
        await provider.close()
      }
      settle(exitCodes.conformant)
    })
