/** Cloud engine: root credentials, their rotation, leases. */
import {
  endpoint,
  enterprise,
  error,
  leaseField,
  must,
  newer,
  older,
  rootField,
  should,
  transition,
  versioning,
} from './cloud-sources.ts'

const noReplace = 'root credentials set'
const rotate = 'static root credentials'

export const rootMust = must({
  'root.max-retries.default': ['Without `max_retries` the root configuration reads -1.', rootField('max_retries')],
  'root.max-retries.kept': ['`max_retries` reads as it was given.', rootField('max_retries')],
  'root.max-retries.most': [
    'A recoverable error is retried no more often than `max_retries` says.',
    rootField('max_retries'),
  ],
  'root.access-key.kept': ['The root configuration shows the access key.', rootField('access_key')],
  'root.secret-key.hidden': ['The root configuration never shows the secret key.', rootField('secret_key')],
  'root.secret-key.needed': ['`access_key` without `secret_key` is refused.', rootField('secret_key', 41)],
  'root.access-key.needed': ['`secret_key` without `access_key` is refused.', rootField('secret_key', 41)],
  'root.access-key.excludes-audience': [
    '`access_key` and `identity_token_audience` together are refused.',
    rootField('access_key'),
    enterprise,
  ],
  'root.role-arn.needed': [
    '`identity_token_audience` without `role_arn` is refused.',
    rootField('role_arn'),
    enterprise,
  ],
  'root.identity-token-ttl.default': [
    'Without `identity_token_ttl` an identity token lives 3600 seconds.',
    rootField('identity_token_ttl'),
    enterprise,
  ],
  'root.identity-token-ttl.number': [
    '`identity_token_ttl` may be a number of seconds.',
    rootField('identity_token_ttl'),
    enterprise,
  ],
  'root.identity-token-ttl.duration': [
    '`identity_token_ttl` may be a duration string.',
    rootField('identity_token_ttl'),
    enterprise,
  ],
  'root.identity-token.role': [
    'With workload identity federation `role_arn` is assumed.',
    rootField('role_arn'),
    enterprise,
  ],
  'root.identity-token.audience': [
    'A plugin identity token is made out for `identity_token_audience`.',
    rootField('identity_token_audience'),
    enterprise,
  ],
  'root.identity-token.ttl': [
    'A plugin identity token lives as long as `identity_token_ttl` says.',
    rootField('identity_token_ttl'),
    enterprise,
  ],
  'root.region.kept': ['`region` reads as it was given.', rootField('region')],
  'root.region.used': ['Calls to the provider are signed for `region`.', rootField('region')],
  'root.iam-endpoint.kept': ['`iam_endpoint` reads as it was given.', rootField('iam_endpoint')],
  'root.iam-endpoint.used': ['IAM calls go to `iam_endpoint`.', rootField('iam_endpoint')],
  'root.sts-endpoint.kept': ['`sts_endpoint` reads as it was given.', rootField('sts_endpoint')],
  'root.sts-endpoint.used': ['STS calls go to `sts_endpoint`.', rootField('sts_endpoint')],
  'root.username-template.used': ['User names are made by `username_template`.', rootField('username_template')],
  'root.username-template.policy-name': [
    '`PolicyName` in a template is the role name.',
    endpoint('The template … `PolicyName`'),
  ],
  'root.username-template.display-name': [
    '`DisplayName` in a template is the authenticated user.',
    endpoint('The template … `DisplayName`'),
  ],
  'root.overwrites': ['POST of root credentials replaces those that are there.', transition(noReplace)],
  'root.overwrites-in-use': ['After an overwrite calls are signed by the new key.', transition(noReplace)],
  'root.not-validated': ['Root credentials are accepted unseen, valid or not.', transition(noReplace)],
  'root.payload-used': ['Static credentials of the payload sign the calls.', endpoint('POST `/cloud/config/root`')],
  'root.keys-optional': ['In the newer form `config/root` needs no keys.', versioning('2', 45), newer],
  'root.older.access-key': [
    'In the older form `config/root` without `access_key` is refused.',
    versioning('2', 45),
    older,
  ],
  'root.older.secret-key': [
    'In the older form `config/root` without `secret_key` is refused.',
    versioning('2', 45),
    older,
  ],
  'root.enterprise-only': [
    'Workload identity federation has no effect in the community edition.',
    versioning('3'),
    { editions: ['community'], ...newer },
  ],
  'rotate-root.changes-key': [
    'Rotating root makes a new access key, which the configuration shows.',
    transition(rotate),
  ],
  'rotate-root.returns-key': [
    'Rotating root returns the new access key.',
    endpoint('POST `/cloud/config/rotate-root`'),
  ],
  'rotate-root.key-in-use': ['After rotating root, calls are signed by the new key.', transition(rotate)],
  'rotate-root.second-key': [
    'Rotating root fails where the user has another access key.',
    error('Rotate root when the IAM user has another access key', 39),
  ],
  'rotate-root.failure-keeps-root': [
    'A rotation that fails leaves the root credentials in use.',
    error('Rotate root when the IAM user has another access key', 39),
  ],
  'lease.kept': ['GET of the lease configuration shows `lease`.', endpoint('GET `/cloud/config/lease`')],
  'lease.max-kept': ['GET of the lease configuration shows `lease_max`.', endpoint('GET `/cloud/config/lease`')],
  'lease.required': ['`lease_max` without `lease` is refused.', leaseField],
  'lease.max-required': ['`lease` without `lease_max` is refused.', leaseField],
  'lease.hours': ['A lease may be given in hours.', leaseField],
  'lease.minutes': ['A lease may be given in minutes.', leaseField],
  'lease.optional': [
    'Without a lease configuration credentials have a lease all the same.',
    endpoint('POST `/cloud/config/lease`'),
  ],
})

export const rootShould = should({
  'root.max-retries.recovers': ['Within `max_retries` a recoverable error does no harm.', rootField('max_retries')],
  'root.max-retries.sdk-default': [
    'With `max_retries` -1 a single recoverable error does no harm, as with the default of the SDK.',
    rootField('max_retries'),
  ],
  'root.username-template.kept': ['`username_template` reads as it was given.', endpoint('GET `/cloud/config/root`')],
  'root.audience.kept': [
    '`identity_token_audience` reads as it was given.',
    endpoint('GET `/cloud/config/root`'),
    enterprise,
  ],
  'root.role-arn.kept': ['`role_arn` reads as it was given.', endpoint('GET `/cloud/config/root`'), enterprise],
  'root.older.no-audience': ['In the older form `identity_token_audience` has no effect.', versioning('2'), older],
  'lease.no-days': ['A duration in days is refused: `h` is the largest suffix.', leaseField],
  'lease.sets-duration': ['Credentials of an IAM user have the configured lease.', leaseField],
  'lease.max-bounds': ['No credentials have a lease beyond `lease_max`.', leaseField],
  'lease.revocation': ['Revoking the lease of an IAM user takes the user back.', leaseField],
  'username-template.default-fits': [
    'The default template keeps names of a long role within the limits.',
    endpoint('The default username template'),
  ],
})
