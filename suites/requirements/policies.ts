import { type Applies, type Requirement, register } from '../../harness/vocabulary/index.ts'
import { openRows } from './policies-open.ts'
import { availability, endpoint, type Kind, policyField, versioning } from './policies-sources.ts'

type Rows = Parameters<typeof register>[1]
const named: Readonly<Record<Kind, string>> = { acl: 'ACL policy', rgp: 'RGP', egp: 'EGP' }
const appliesTo: Readonly<Record<Kind, Applies>> = {
  acl: { since: '0.9.0' },
  rgp: { since: '0.9.0', editions: ['premium'] },
  egp: { since: '0.9.0', editions: ['premium'] },
}

/** What holds for each kind alike: "the same four operations exist". */
function rowsOfEvery(kind: Kind): Rows {
  const policy = named[kind]
  const must = { level: 'must', applies: appliesTo[kind] } as const
  return {
    [`${kind}.list.names-configured`]: {
      ...must,
      says: `LIST names every configured ${policy}, and none that was deleted.`,
      source: endpoint('LIST', kind),
    },
    [`${kind}.read.returns-named`]: {
      ...must,
      says: `GET returns the ${policy} of that name, and not another.`,
      source: endpoint('GET', kind),
    },
    [`${kind}.write.creates`]: {
      ...must,
      says: `POST on an unused name creates the ${policy}.`,
      source: endpoint('POST', kind),
    },
    [`${kind}.write.updates`]: {
      ...must,
      says: `POST on a used name updates the ${policy} to what the request says.`,
      source: endpoint('POST', kind),
    },
    [`${kind}.delete.removes`]: {
      ...must,
      says: `DELETE removes the ${policy}: it is no longer returned.`,
      source: endpoint('DELETE', kind),
    },
    [`${kind}.name.from-url`]: {
      ...must,
      says: `The name of the ${policy} is the one in the URL.`,
      source: policyField('name'),
    },
    [`${kind}.policy.required`]: {
      ...must,
      says: `A POST of an ${policy} without \`policy\` is refused.`,
      source: endpoint('POST', kind),
    },
    [`${kind}.policy.base64`]: {
      ...must,
      says: `The document of an ${policy} may be given in base64 and means the same as the plain text.`,
      source: policyField('policy'),
    },
    [`${kind}.create.immediate`]: {
      ...must,
      says: `A new ${policy} takes effect at once, also on tokens that existed before it.`,
      source: endpoint('POST', kind),
    },
    [`${kind}.update.immediate`]: {
      ...must,
      says: `A changed ${policy} takes effect at once on all it is associated with, whether it now allows more or less.`,
      source: endpoint('POST', kind),
    },
    [`${kind}.delete.immediate`]: {
      ...must,
      says: `Deleting an ${policy} takes effect at once for all its users.`,
      source: endpoint('DELETE', kind),
    },
  }
}

/** A token carries the names of ACL policies and RGPs; EGPs belong to paths. */
const actsEmpty = (kind: 'acl' | 'rgp'): Rows => ({
  [`${kind}.delete.acts-empty`]: {
    level: 'must',
    applies: appliesTo[kind],
    says: `A token that carries the name of a deleted ${named[kind]} lives on, as if that policy were empty.`,
    source: endpoint('DELETE', kind),
  },
})

/** What RGPs and EGPs have beyond ACL policies. The document lists the levels and does not say what they do: what their
 * names imply is `should`. It calls the list closed ("one of"), which binds what a policy can hold; that the request is
 * refused, rather than read as one of the three, is implied. */
function rowsOfGoverning(kind: 'rgp' | 'egp'): Rows {
  const policy = named[kind]
  const must = { level: 'must', applies: appliesTo[kind] } as const
  const should = { level: 'should', applies: appliesTo[kind] } as const
  const source = policyField('enforcement_level')
  return {
    [`${kind}.level.required`]: {
      ...must,
      says: `A POST of an ${policy} without \`enforcement_level\` is refused.`,
      source: endpoint('POST', kind),
    },
    [`${kind}.level.values`]: {
      ...must,
      says: `An ${policy} takes each of \`advisory\`, \`soft-mandatory\` and \`hard-mandatory\` as its level, and shows it.`,
      source,
    },
    [`${kind}.level.closed`]: { ...must, says: `The level of an ${policy} is never another than these three.`, source },
    [`${kind}.level.other-refused`]: {
      ...should,
      says: `A POST of an ${policy} with another level is refused.`,
      source,
    },
    [`${kind}.level.advisory`]: { ...should, says: `An advisory ${policy} that fails lets the request pass.`, source },
    [`${kind}.level.soft-mandatory`]: {
      ...should,
      says: `A soft-mandatory ${policy} that fails denies the request, unless the request overrides it.`,
      source,
    },
    [`${kind}.level.hard-mandatory`]: {
      ...should,
      says: `A hard-mandatory ${policy} that fails denies the request, even if the request asks for an override.`,
      source,
    },
    [`${kind}.edition.premium-only`]: {
      level: 'must',
      applies: { since: '0.9.0', editions: ['community', 'enterprise'] },
      says: `Outside the premium tier there are no ${policy} endpoints.`,
      source: availability,
    },
  }
}

const egpMust = { level: 'must', applies: appliesTo.egp } as const
const paths = policyField('paths')
const egpRows: Rows = {
  'egp.paths.required': {
    ...egpMust,
    says: 'A POST of an EGP without `paths` is refused.',
    source: endpoint('POST', 'egp'),
  },
  'egp.paths.array': { ...egpMust, says: 'The paths of an EGP may be given as an array.', source: paths },
  'egp.paths.comma-list': {
    ...egpMust,
    says: 'The paths of an EGP may be given as a comma-separated string.',
    source: paths,
  },
  'egp.paths.governed': {
    ...egpMust,
    says: 'An EGP applies to each of its paths and to no other.',
    source: paths,
  },
  'egp.paths.glob': {
    ...egpMust,
    says: 'A path that ends in `*` stands for every path that begins with what comes before the `*`, and for no other.',
    source: policyField('paths', 4),
  },
  'egp.paths.star-authenticated': {
    ...egpMust,
    says: 'The single path `*` covers every authenticated request.',
    source: paths,
  },
  'egp.paths.star-login': { ...egpMust, says: 'The single path `*` covers every login request.', source: paths },
  'egp.list.maps-paths': {
    ...egpMust,
    says: 'The list of EGPs has `name_path_map`, an object that gives for each name its paths.',
    source: endpoint('LIST', 'egp'),
  },
  'egp.list.glob-status': {
    ...egpMust,
    says: '`name_path_map` tells a glob path from an exact one.',
    source: endpoint('LIST', 'egp'),
  },
  'egp.delete.all-paths': {
    ...egpMust,
    says: 'Deleting an EGP removes it from all its paths.',
    source: endpoint('DELETE', 'egp'),
  },
}

const gates: Rows = {
  'acl.edition.every': {
    level: 'must',
    applies: { since: '0.9.0' },
    says: 'ACL policies are served on every edition: only RGP and EGP are kept to the premium tier.',
    source: availability,
  },
  'version.absent-before': {
    level: 'must',
    applies: { before: '0.9.0' },
    says: 'Before version 0.9 there are no /sys/policies endpoints.',
    source: versioning,
  },
  'version.served-since': {
    level: 'must',
    applies: { since: '0.9.0' },
    says: 'The /sys/policies endpoints are there in version 0.9 itself and later.',
    source: versioning,
  },
}

export const policies: readonly Requirement[] = register('policies', {
  ...rowsOfEvery('acl'),
  ...actsEmpty('acl'),
  ...rowsOfEvery('rgp'),
  ...actsEmpty('rgp'),
  ...rowsOfGoverning('rgp'),
  ...rowsOfEvery('egp'),
  ...rowsOfGoverning('egp'),
  ...egpRows,
  ...gates,
  ...openRows,
})
