/** Faults of `config/lease`, and of the names of users and sessions. */
import { leaseOf } from '../../engines/cloud/handlers/lease.ts'
import type { NameUse } from '../../engines/cloud/rules/names.ts'
import { rootFields } from '../../engines/cloud/rules/root.ts'
import type { LeaseConfig } from '../../engines/cloud/store.ts'
import type { Call } from '../../kernel/contracts.ts'
import { parseDuration } from '../../kernel/http/duration.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import {
  after,
  asLease,
  asRoot,
  byRules,
  type CloudFault,
  fault,
  faults,
  gets,
  type Here,
  inRow,
  inTable,
  issuing,
  on,
  refusing,
  refusingAfterwards,
  roleAt,
  sending,
  showing,
  without,
} from './cloud-operations.ts'

const write = ['POST config/lease']
const read = ['GET config/lease']
const getsUser = gets('iam_user')
const hasLease = (_call: Call, { context }: Here): boolean => context.store.lease !== undefined

type Field = keyof LeaseConfig
const defaults = ({ context: { lifetimes } }: Here): LeaseConfig => {
  const { systemDefault, systemMax } = lifetimes()
  return { lease: systemDefault, lease_max: systemMax }
}
const optional = (name: Field, when: (call: Call, here: Here) => boolean = () => true) =>
  sending(write, (body, call, here) => (body[name] || !when(call, here) ? {} : { [name]: `${defaults(here)[name]}s` }))
const maxRead = (change: (text: string) => string) =>
  sending(write, ({ lease_max: most }) => (typeof most === 'string' ? { lease_max: change(most) } : {}))
const maxInHours = (unit: 'minutes' | 'seconds'): CloudFault =>
  fault(
    `config-lease-max-${unit}-as-hours`,
    `A lease_max in ${unit} is read as hours.`,
    maxRead((text) => (text.endsWith(unit.charAt(0)) ? `${text.slice(0, -1)}h` : text)),
  )
const hidden = (name: Field) =>
  showing(
    read,
    () => true,
    (fields) => without(fields, name),
  )
const forgotten = (name: Field) =>
  after(
    write,
    () => true,
    (_call, here) => {
      const { store } = here.context
      if (store.lease) store.lease = { ...store.lease, [name]: defaults(here)[name] }
    },
  )
type Parse = (text: string) => number | undefined
const parsing = (change: (before: Parse) => Parse) => inTable('lease', ({ parse }) => ({ parse: change(parse) }))

const leases: readonly CloudFault[] = [
  ...faults({
    'config-lease-optional': 'A write of config/lease without lease succeeds.',
    'config-lease-partial-at-first': 'The first write of config/lease succeeds without lease.',
    'config-lease-numbers-taken': 'config/lease accepts a lease that is a number of seconds.',
    'config-lease-max-optional': 'A write of config/lease without lease_max succeeds.',
    'config-lease-hidden': 'The reply to a read of config/lease lacks lease.',
    'config-lease-max-hidden': 'The reply to a read of config/lease lacks lease_max.',
    'config-lease-forgotten': 'lease is not stored.',
    'config-lease-max-forgotten': 'lease_max is not stored.',
    'config-lease-days': 'config/lease accepts durations with the suffix d.',
    'config-lease-max-days': 'config/lease accepts a lease_max with the suffix d.',
    'config-lease-first-unit-only': 'Only the first part of a duration with several suffixes in config/lease counts.',
    'config-lease-resets-the-root':
      'A write of config/lease resets region and max_retries of config/root to their defaults.',
    'config-lease-of-the-first-use':
      'The lease of the first credentials stays in effect, whatever config/lease says later.',
    'config-lease-at-most-a-day': 'A duration above 24 hours in config/lease is stored as 24 hours.',
    'config-lease-unused': 'lease has no effect on the lifetime of credentials.',
    'config-lease-max-unused': 'lease_max does not limit the lifetime of credentials.',
    'config-lease-without-suffix': 'config/lease accepts a number of seconds without a suffix.',
    'config-lease-any': 'config/lease accepts an invalid duration as one hour.',
    'config-lease-unread': 'A read of config/lease returns 404 although it was written.',
    'config-lease-answers-a-refusal': 'A write of config/lease takes effect, but the reply is a refusal.',
    'config-lease-unset-unread': 'A read of config/lease returns 404 if nothing was written.',
  }).by({
    'config-lease-optional': optional('lease'),
    'config-lease-partial-at-first': optional('lease', (call, here) => !hasLease(call, here)),
    'config-lease-numbers-taken': sending(write, ({ lease }) =>
      typeof lease === 'number' ? { lease: `${lease}s` } : {},
    ),
    'config-lease-max-optional': optional('lease_max'),
    'config-lease-hidden': hidden('lease'),
    'config-lease-max-hidden': hidden('lease_max'),
    'config-lease-forgotten': forgotten('lease'),
    'config-lease-max-forgotten': forgotten('lease_max'),
    'config-lease-days': parsing(() => parseDuration),
    'config-lease-max-days': maxRead((text) => (text.endsWith('d') ? `${parseDuration(text) ?? ''}s` : text)),
    'config-lease-first-unit-only': parsing((before) => (text) => before(/^\d+[a-z]+/.exec(text)?.[0] ?? text)),
    'config-lease-resets-the-root': after(
      write,
      (_call, { context }) => context.store.root !== undefined,
      (_call, { context: { store } }) => {
        if (store.root) store.root = { ...store.root, region: '', max_retries: rootFields.max_retries.fallback }
      },
    ),
    'config-lease-of-the-first-use': [
      on(
        issuing,
        getsUser,
        (call, next, { context, memory }) => {
          if (!memory.has('lease')) memory.set('lease', leaseOf(context))
          return next(call)
        },
        { remembers: true },
      ),
      asLease(
        issuing,
        (call, { context, memory, ...here }) => {
          const first = memory.get('lease') as LeaseConfig | undefined
          const { lease, lease_max } = leaseOf(context)
          const isSame = first === undefined || (first.lease === lease && first.lease_max === lease_max)
          return getsUser(call, { context, memory, ...here }) && !isSame
        },
        ({ memory }) => memory.get('lease') as LeaseConfig,
      ),
    ],
    'config-lease-at-most-a-day': parsing((before) => (text) => {
      const seconds = before(text)
      return seconds === undefined ? undefined : Math.min(seconds, 86_400)
    }),
    'config-lease-unused': asLease(
      issuing,
      (call, here) => getsUser(call, here) && hasLease(call, here),
      (here) => ({ ...leaseOf(here.context), lease: defaults(here).lease }),
    ),
    'config-lease-max-unused': asLease(
      issuing,
      (call, here) => getsUser(call, here) && hasLease(call, here),
      (here) => ({ ...leaseOf(here.context), lease_max: defaults(here).lease_max }),
    ),
    'config-lease-without-suffix': parsing((before) => (text) => (/^\d+$/.test(text) ? Number(text) : before(text))),
    'config-lease-any': parsing((before) => (text) => (/\d/.test(text) ? before(text) : 3600)),
    'config-lease-unread': refusing(read, hasLease, 'not-found'),
    'config-lease-answers-a-refusal': refusingAfterwards(write, () => true),
    'config-lease-unset-unread': refusing(read, (call, here) => !hasLease(call, here), 'not-found'),
  }),
  maxInHours('minutes'),
  maxInHours('seconds'),
]

const empty = (input: 'DisplayName' | 'PolicyName') => inRow('names', 'inputs', { [input]: () => '' })
const longest = (use: NameUse, most: number) => inRow('names', 'longest', { [use]: most })
const bounding = (use: NameUse, run: (name: string, longest: number) => string) =>
  inTable('names', ({ bounded }) => ({
    bounded: (name, one, most) => (one === use ? run(name, most) : bounded(name, one, most)),
  }))
const refusingLonger = (name: string, most: number): string => {
  if (name.length > most) throw badRequest(`the name is longer than ${most} characters`)
  return name
}
const hasTemplate = (_call: Call, { context }: Here): boolean => Boolean(context.store.root?.username_template)
const getsNamedSession = gets('assumed_role', 'federation_token')

const names: readonly CloudFault[] = [
  ...faults({
    'root-template-unused': 'username_template is ignored.',
    'root-template-display-name-empty': '{{.DisplayName}} is empty in username_template.',
    'root-template-policy-name-empty': '{{.PolicyName}} is empty in username_template.',
    'username-64-refused': 'An IAM username of 64 characters is refused.',
    'username-65-taken': 'An IAM username of more than 64 characters is cut instead of refused.',
    'username-65-400': 'An IAM username of more than 64 characters is refused with 400.',
    'username-65-taken-with-path': 'The length of IAM usernames is not limited if the role has a user_path.',
    'sts-username-32-refused': 'An STS username of 32 characters is refused.',
    'sts-username-33-taken': 'An STS username of more than 32 characters is cut instead of refused.',
    'sts-username-33-400': 'An STS username of more than 32 characters is refused with 400.',
    'default-sts-template-too-long':
      'The default username_template names sessions after the role without limiting the length.',
    'default-template-too-long': 'The default username_template does not limit the length of names.',
  }).by({
    'root-template-unused': asRoot(
      issuing,
      hasTemplate,
      ({ context: { store } }) => store.root && { ...store.root, username_template: '' },
    ),
    'root-template-display-name-empty': empty('DisplayName'),
    'root-template-policy-name-empty': empty('PolicyName'),
    'username-64-refused': longest('IAM', 63),
    'username-65-taken': bounding('IAM', (name, most) => name.slice(0, most)),
    'username-65-400': bounding('IAM', refusingLonger),
    'username-65-taken-with-path': byRules(
      issuing,
      (call, here) => getsUser(call, here) && Boolean(roleAt(call, here)?.given.user_path),
      ({ names: before }) => ({ names: { ...before, bounded: (name) => name } }),
    ),
    'sts-username-32-refused': longest('STS', 31),
    'sts-username-33-taken': bounding('STS', (name, most) => name.slice(0, most)),
    'sts-username-33-400': bounding('STS', refusingLonger),
    'default-sts-template-too-long': inTable('names', ({ defaultTemplate }) => ({
      defaultTemplate: defaultTemplate.replace(
        /^\{\{ if[^}]*\}\}.*?\{\{ else \}\}/,
        '{{ if (eq .Type "STS") }}{{ printf "%s-%s" (.PolicyName) (unix_time) }}{{ else }}',
      ),
    })),
    'default-template-too-long': inTable('names', ({ defaultTemplate }) => ({
      defaultTemplate: defaultTemplate.replaceAll(/ \| truncate (36|62)/g, ''),
    })),
  }),
  ...(['DisplayName', 'PolicyName'] as const).map((input) =>
    fault(
      `sts-template-${input === 'DisplayName' ? 'display' : 'policy'}-name-empty`,
      `{{.${input}}} is empty in username_template for the names of sessions.`,
      byRules(issuing, getsNamedSession, ({ names: before }) => ({
        names: { ...before, inputs: { ...before.inputs, [input]: () => '' } },
      })),
    ),
  ),
]

export const ofLeaseAndNames: readonly CloudFault[] = [...leases, ...names]
