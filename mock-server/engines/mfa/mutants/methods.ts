/** Faults of methods as a whole. */
import type { VariantTables } from '../tables.ts'
import { cells, type Fault, fault, inGroup } from './cells.ts'

const inDeletion = (changed: Partial<VariantTables['deletion']>) => inGroup('deletion', () => changed)

export const methodFaults: readonly Fault[] = [
  fault(
    'update-keeps-fields',
    'A POST on an existing method succeeds and keeps the earlier fields.',
    cells({ update: 'kept' }),
  ),
  fault(
    'read-takes-a-longer-issuer',
    'GET returns the last method whose issuer begins with that of the method asked for, and is longer.',
    (tables) => ({
      ...tables,
      find(methods, key) {
        const asked = tables.find(methods, key)
        const issuer = asked?.settings.issuer ?? ''
        const isLonger = (other: string): boolean => other.startsWith(issuer) && other.length > issuer.length
        return asked && (methods.findLast(({ settings }) => isLonger(settings.issuer)) ?? asked)
      },
    }),
  ),
  fault(
    'delete-keeps-reading',
    'GET still returns a method after its deletion.',
    cells({ readable: ['defined', 'deleted'] }),
  ),
  fault(
    'deleted-method-generates',
    'Secrets can still be made from a deleted method.',
    cells({ usable: ['defined', 'deleted'] }),
  ),
]

/** Of what the identity variant adds. */
export const listFaults: readonly Fault[] = [
  fault('list-omits', 'LIST leaves out methods that were defined through the API.', cells({ listed: [] })),
  fault('list-keeps-deleted', 'LIST still names deleted methods.', cells({ listed: ['defined', 'deleted'] })),
  fault(
    'method-in-use-is-deleted',
    'DELETE of a method that a login enforcement uses succeeds.',
    inDeletion({ inUse: 'deleted' }),
  ),
  fault(
    'enforcement-outlives-its-deletion',
    'A method stays in use after the login enforcement that used it was deleted.',
    inDeletion({ usedBy: ['defined', 'deleted'] }),
  ),
]
