/** Starts the stub of a cloud provider for a run whose checks need one. */
import { type Provider, startProvider } from '../../../fixtures/servers/provider/index.ts'
import type { SelectedCheck } from '../../select/select.ts'
import { controlKeysIn } from '../../targets/mock.ts'
import type { ResolvedTarget } from '../../targets/target.ts'
import { UsageError } from '../../targets/usage-error.ts'

interface Place {
  readonly listen: string
  readonly advertise?: string
}

export interface Provided {
  readonly target: ResolvedTarget
  close(): Promise<void>
}

export const isProviderNeeded = (selected: readonly SelectedCheck[]): boolean =>
  selected.some(({ check }) => check.needs?.includes('provider'))

/** Starts a stub only if the profile asks for it; `provided` serves the embedded server. Only the operator can decide
 * whether any other server may be told to call an address, and which address reaches us: a URL on this machine may be a
 * tunnel to a server elsewhere, and the server's own statements must not decide it. */
export async function withProvider(target: ResolvedTarget, selected: readonly SelectedCheck[]): Promise<Provided> {
  const isWanted = isProviderNeeded(selected) && target.provides.provider !== undefined
  return isWanted ? provided(target) : { target, close: async () => {} }
}

/** Starts a stub, whose addresses checks find under the need `provider`. */
export async function provided(target: ResolvedTarget): Promise<Provided> {
  const place = target.provides.provider as Place | undefined
  const { iam, sts, control, close } = await startedAt(place)
  const secrets = [...target.secrets, ...controlKeysIn(control)]
  return { target: { ...target, secrets, provides: { ...target.provides, provider: { iam, sts, control } } }, close }
}

/** `listen` is `host:port`: the identity service listens there and the token service on the next port; 0 chooses free
 * ports. */
async function startedAt(place: Place | undefined): Promise<Provider> {
  if (!place) return startProvider()
  const [, host = '', text = ''] = /^\[?([^\]]+)\]?:(\d+)$/.exec(place.listen) ?? []
  const port = Number(text)
  if (host === '' || port > 65_534)
    throw new UsageError(`provider.listen: ${place.listen} is not of the format host:port, such as 0.0.0.0:9400`)
  const advertise = place.advertise === undefined ? undefined : new URL(place.advertise).hostname
  try {
    return await startProvider({
      host,
      ports: { iam: port, sts: port === 0 ? 0 : port + 1 },
      ...(advertise === undefined ? {} : { advertise }),
    })
  } catch (error) {
    throw new UsageError(
      `provider.listen: cannot listen on ${place.listen} and the next port (${(error as NodeJS.ErrnoException).code}): choose another port`,
    )
  }
}
