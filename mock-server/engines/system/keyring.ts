/** The endpoints `sys/key-status` and `sys/rotate` show and rotate the key that encrypts the storage. Each new key has
 * the next term. */
import { type Call, done, type Reply, type Route } from '../../kernel/contracts.ts'
import { flagField, numberField } from '../../kernel/http/body-fields.ts'
import { durationField, durationText } from '../../kernel/http/duration.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import type { Services } from '../../kernel/services.ts'
import type { StatePart } from '../../kernel/state/state-part.ts'

const leastInterval = 86_400
const leastOperations = 1_000_000
const mostOperations = 3_865_470_566

interface Rotation {
  readonly enabled: boolean
  /** Seconds between rotations; 0 means that time alone does not rotate the key. */
  readonly interval: number
  readonly maxOperations: number
}

interface Key {
  readonly term: number
  /** Milliseconds since the epoch. */
  readonly installedAt: number
  /** How many writes the server had stored when the key was installed. */
  readonly writes: number
}

interface Saved {
  readonly key: Key
  readonly rotation: Rotation
}

export interface Keyring extends StatePart {
  rotation: Rotation
  /** Carries out the rotations that are due, and returns the current key. */
  present(): Key
  rotate(): void
  encryptions(key: Key): number
}

export function createKeyring({ clock, storage }: Pick<Services, 'clock' | 'storage'>): Keyring {
  const first = (): Saved => ({
    key: { term: 1, installedAt: clock.now(), writes: storage.writes },
    rotation: { enabled: true, interval: 0, maxOperations: mostOperations },
  })
  let { key, rotation } = first()
  const encryptions = ({ writes }: Key): number => Math.max(storage.writes - writes, 0) + 1
  const install = (installedAt: number): void => {
    key = { term: key.term + 1, installedAt, writes: storage.writes }
  }

  function present(): Key {
    const { enabled, interval, maxOperations } = rotation
    if (enabled && encryptions(key) > maxOperations) install(clock.now())
    if (enabled && interval > 0) {
      const due = Math.floor((clock.now() - key.installedAt) / (interval * 1000))
      for (let count = 0; count < due; count++) install(key.installedAt + interval * 1000)
    }
    return key
  }

  return {
    get rotation() {
      return rotation
    },
    set rotation(changed) {
      present()
      rotation = changed
    },
    present,
    rotate() {
      present()
      install(clock.now())
    },
    encryptions,
    snapshot: (): Saved => ({ key, rotation }),
    restore(state) {
      ;({ key, rotation } = state as Saved)
    },
    reset() {
      ;({ key, rotation } = first())
    },
  }
}

function rotationIn({ body }: Call, known: Rotation): Rotation {
  const interval = durationField(body, 'interval') ?? known.interval
  const maxOperations = numberField(body, 'max_operations') ?? known.maxOperations
  if (interval !== 0 && interval < leastInterval) throw badRequest('interval must be greater or equal to 24h0m0s')
  if (maxOperations < leastOperations || maxOperations > mostOperations)
    throw badRequest(`max_operations must be in the range [${leastOperations},${mostOperations}]`)
  return { enabled: flagField(body, 'enabled') ?? known.enabled, interval, maxOperations }
}

export function keyringRoutes(keyring: Keyring): readonly Route[] {
  function status(): Reply {
    const key = keyring.present()
    const data = {
      ...{ term: key.term, install_time: new Date(key.installedAt).toISOString() },
      encryptions: keyring.encryptions(key),
    }
    return { kind: 'data', data }
  }
  function rotate(): Reply {
    keyring.rotate()
    return done
  }
  function configure(call: Call): Reply {
    keyring.rotation = rotationIn(call, keyring.rotation)
    return done
  }
  function readConfig(): Reply {
    const { enabled, interval, maxOperations } = keyring.rotation
    const data = { enabled, interval: interval === 0 ? 0 : durationText(interval), max_operations: maxOperations }
    return { kind: 'data', data }
  }
  return [
    { verb: 'GET', path: 'key-status', access: 'token', handle: status },
    ...['rotate', 'rotate/keyring'].flatMap((path): readonly Route[] => [
      { verb: 'POST', path, access: 'sudo', handle: rotate },
      { verb: 'GET', path: `${path}/config`, access: 'token', handle: readConfig },
      { verb: 'POST', path: `${path}/config`, access: 'sudo', handle: configure },
    ]),
  ]
}
