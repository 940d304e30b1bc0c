import { type Place, placeFlags, untilStopped } from './listening.ts'
import { type CommandTable, commandOf, type TabledCommand } from './options/flag.ts'
import type { Terminal } from './output/terminal.ts'

interface ProviderFlags extends Place {
  readonly advertise?: string
  readonly json?: boolean
}

const examples = `
Examples:
  assay provider --port 9400          identity service at 9400, token service at 9401
  assay provider --port 0 --json      on free ports; addresses and a first account as JSON
POST <control>/accounts opens further accounts and returns them as JSON. All keys are test keys that only this server
accepts. Ctrl-C stops it.`

const table: CommandTable = {
  name: 'provider',
  says: "start the stub of a cloud provider's identity and token services",
  flags: {
    server: [
      ...placeFlags(
        0,
        'port of the identity service; the token service uses the next one; 0 chooses free ports',
        65_534,
      ),
      { flag: '--advertise <host>', says: 'host name under which others reach it', isRare: true },
    ],
    output: [{ flag: '--json', says: 'print the addresses and an account as one JSON line' }],
  },
  more: examples,
}

export const providerCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf<ProviderFlags>(table, async ({ port, host, advertise, json }) => {
    const { startProvider } = await import('../../fixtures/servers/provider/index.ts')
    const started = startProvider({
      host,
      ports: { iam: port, sts: port === 0 ? 0 : port + 1 },
      ...(advertise === undefined ? {} : { advertise }),
    })
    const code = await untilStopped(started, { port, host }, terminal.signal, (provider) => {
      const { iam, sts, control } = provider
      const account = provider.openAccount()
      if (json) terminal.json({ iam, sts, control, ...account })
      else {
        terminal.out(`identity service: ${iam}`)
        terminal.out(`token service: ${sts}`)
        terminal.out(`control: ${control}`)
        terminal.out(`access key: ${account.accessKey}  secret key: ${account.secretKey}  (test keys)`)
      }
    })
    settle(code)
  })
