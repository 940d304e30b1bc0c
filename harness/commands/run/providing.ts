/** The stub of a cloud provider, started beside a run whose checks need one. */
import { type Provider, startProvider } from '../../../fixtures/provider/index.ts'
import { isLoopback } from '../../targets/described.ts'
import type { ResolvedTarget } from '../../targets/target.ts'
import { UsageError } from '../../targets/usage-error.ts'
import type { Chosen } from '../catalog.ts'

interface Place {
  readonly listen: string
  readonly advertise?: string
}

export interface Provided {
  readonly target: ResolvedTarget
  close(): Promise<void>
}

/** Checks are told where it is under the need `provider`. A target that is not embedded has to be able to reach it, so
 * its profile says where it listens. */
export async function withProvider(
  target: ResolvedTarget,
  chosen: readonly Chosen[],
  isEmbedded: boolean,
): Promise<Provided> {
  const place = target.provides.provider as Place | undefined
  const isNeeded = chosen.some(({ check }) => check.needs?.includes('provider'))
  const isNear = isEmbedded || isLoopback(target.url)
  if (!isNeeded || (!isNear && place === undefined)) return { target, close: async () => {} }
  const { iam, sts, control, close } = await startedAt(place)
  return { target: { ...target, provides: { ...target.provides, provider: { iam, sts, control } } }, close }
}

/** A target whose profile does not say where the stub listens is given one of its own accord only if it is a reference
 * server: whether another one calls providers at addresses it is told is its operator's to say. */
export function withoutUnasked(
  provides: Readonly<Record<string, unknown>>,
  isAsked: boolean,
): Readonly<Record<string, unknown>> {
  const { provider: _, ...others } = provides
  return isAsked ? provides : others
}

/** `listen` is `host:port`: the identity service is there and the token service at the next port; 0 takes free ones. */
async function startedAt(place: Place | undefined): Promise<Provider> {
  if (!place) return startProvider()
  const [, host = '', text = ''] = /^\[?([^\]]+)\]?:(\d+)$/.exec(place.listen) ?? []
  const port = Number(text)
  if (host === '' || port > 65_534)
    throw new UsageError(`provider.listen: ${place.listen} is not of the form host:port, such as 0.0.0.0:9400`)
  const advertise = place.advertise === undefined ? undefined : new URL(place.advertise).hostname
  try {
    return await startProvider({
      host,
      ports: { iam: port, sts: port === 0 ? 0 : port + 1 },
      ...(advertise === undefined ? {} : { advertise }),
    })
  } catch (error) {
    throw new UsageError(
      `provider.listen: nothing can listen on ${place.listen} and the next port (${(error as NodeJS.ErrnoException).code}): choose another`,
    )
  }
}
