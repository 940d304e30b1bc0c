import type { Applies, CheckBody, JsonObject, Step, Watched } from '../../harness/vocabulary/index.ts'
import { lists, post, refused } from '../../harness/vocabulary/index.ts'
import { cutShort } from '../given.ts'
import { assumable, least, listRoles, mountedAlone, pathOfRole, role, rootBody, rooted } from './given.ts'
import { needs } from './provider.ts'
import { staticBody, staticPath, withUser } from './static-roles.ts'
import { topic } from './topic.ts'
import { check } from './witnessed.ts'
import { accountStays, leaseStays, roleStays, rootStays, staticRoleStays } from './witnesses.ts'

interface CutBody {
  readonly of: string
  readonly path: string
  readonly body: JsonObject
  readonly given: readonly Step[]
  readonly stays: readonly [Watched, ...Watched[]]
  readonly applies?: Applies
  readonly needs?: CheckBody['needs']
}

const rows: readonly CutBody[] = [
  {
    of: 'root-configuration',
    path: '{mount}/config/root',
    body: rootBody(),
    given: mountedAlone(),
    stays: [rootStays],
  },
  {
    of: 'lease',
    path: '{mount}/config/lease',
    body: { lease: '2h', lease_max: '4h' },
    given: [...mountedAlone(), post('{mount}/config/lease', { lease: '7h', lease_max: '9h' })],
    stays: [leaseStays],
  },
  {
    of: 'role',
    path: pathOfRole(),
    body: least('iam_user'),
    given: mountedAlone(),
    stays: [roleStays(), lists(listRoles, '{use}worker')],
  },
  {
    of: 'request-for-a-session',
    needs,
    path: '{mount}/sts/worker',
    body: { role_session_name: 'assay', ttl: '30m' },
    given: [...rooted(assumable), ...role(least('assumed_role'))],
    stays: [accountStays],
  },
  {
    of: 'static-role',
    needs,
    path: staticPath,
    body: staticBody({ rotation_period: 3600 }),
    given: withUser(),
    stays: [staticRoleStays, accountStays],
    applies: { feature: 'cloud.static-roles' },
  },
]

export default topic('cloud/errors-bodies', {
  about: 'Requests whose body is not valid JSON.',
  checks: rows.map((row) =>
    check(`body-of-a-${row.of}-that-is-cut-is-refused`, {
      requirement: 'cloud.body.malformed',
      ...(row.needs ? { needs: row.needs } : {}),
      given: row.given,
      when: cutShort(post(row.path, row.body)),
      then: [refused(...row.stays)],
      control: post(row.path, row.body),
      ...(row.applies ? { applies: row.applies } : {}),
    }),
  ),
})
