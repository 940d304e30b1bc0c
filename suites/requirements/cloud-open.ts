/** Cloud engine: what document 3 leaves open, so that nothing here is ever asserted. */
import type { Applies, Source } from '../../harness/vocabulary/index.ts'
import {
  endpoint,
  enterprise,
  error,
  newer,
  type Rows,
  roleField,
  rootField,
  rule,
  staticField,
  transition,
  versioning,
} from './cloud-sources.ts'

const open = (says: string, source: Source, why: string, applies?: Applies): Rows[string] => ({
  level: 'info',
  says,
  source,
  open: why,
  ...(applies ? { applies } : {}),
})

export const cloudOpen: Rows = {
  'root.region.environment': open(
    'Without `region` it comes from the environment, and from `us-east-1` last.',
    rootField('region', 44),
    'Environment variables of the target process are nothing that a client can set.',
  ),
  'root.sources.order': open(
    'Credentials come from the environment, shared files or the instance where the payload has none.',
    endpoint('POST `/cloud/config/root`', 44),
    'Nothing of the target process can be set by a client.',
  ),
  'root.audience.matches': open(
    '`identity_token_audience` is an audience that the identity provider allows.',
    rootField('identity_token_audience'),
    'Whether it matches is decided by the identity provider.',
    enterprise,
  ),
  'rotate-root.old-key': open(
    'The old key after rotating root.',
    transition('static root credentials'),
    'Whether it is deleted is not said.',
  ),
  'rotate-root.delay': open(
    'Provider calls may fail for some seconds after rotating root.',
    transition('static root credentials'),
    'A fact of the provider.',
  ),
  'lease.defaults': open(
    'The default lease and its maximum.',
    endpoint('POST `/cloud/config/lease`'),
    'The values are not shown.',
  ),
  'role.read-fields': open(
    'The fields of a role that is read.',
    endpoint('GET `/cloud/roles/:name`'),
    'Response bodies are not shown; roles are judged by what they do.',
  ),
  'role.invalid-data': open(
    '`invalid_data` of a role from an earlier version.',
    error('Role read with invalid data from an earlier version'),
    'No client can make such a role.',
  ),
  'role.groups-alone': open(
    'An `iam_user` role with `iam_groups` alone.',
    roleField('policy_arns', 36),
    'The text refuses it, deployed services accept it.',
  ),
  'role.session-token.groups': open(
    '`iam_groups` on a `session_token` role.',
    roleField('iam_groups'),
    'Not said.',
    newer,
  ),
  'role.iam-tags.other-types': open(
    '`iam_tags` on other types than `iam_user`.',
    roleField('iam_tags'),
    'Neither allowed nor refused.',
  ),
  'assumed-role.mfa': open(
    '`mfa_serial_number` on an `assumed_role` role.',
    roleField('mfa_serial_number'),
    'Which calls carry it is not said.',
    newer,
  ),
  'legacy.arn-of-role': open(
    '`sts` of a legacy role with an `arn`.',
    rule(1),
    'What an existing policy gives there is not said.',
  ),
  'assumed-role.username': open(
    'The user name of an assumed role.',
    rule(3, 40),
    'It is generated, in no form that is said.',
  ),
  'creds.type-by-path': open(
    '`creds` of an STS role and `sts` of an `iam_user` role.',
    endpoint('POST `/cloud/sts/:name`'),
    'Only legacy roles are bound to a path.',
  ),
  'static-role.keys-after-delete': open(
    'The keys of the user after a static role is deleted.',
    transition('static role present, DELETE'),
    'Only the user is said to stay.',
    newer,
  ),
  'static-role.read-fields': open(
    'The fields of a static role that is read.',
    staticField('not shown'),
    'Not shown.',
    newer,
  ),
  'version.older.mfa': open('MFA in the older form.', versioning('2'), 'Its type does not exist there.'),
  'access.capabilities': open('Which capabilities the endpoints need.', endpoint('Authentication, 4'), 'Not shown.'),
}
