/** Faults of `config/rotate-root`. */

import { providerOf } from '../../engines/cloud/context.ts'
import { refusalOf } from '../../engines/cloud/provider/failures.ts'
import type { Provider } from '../../engines/cloud/provider/provider.ts'
import { keysOf } from '../../engines/cloud/provider/users.ts'
import { rootFields } from '../../engines/cloud/rules/root.ts'
import type { RootConfig } from '../../engines/cloud/store.ts'
import type { Call, Reply } from '../../kernel/contracts.ts'
import {
  after,
  type CloudFault,
  calling,
  faults,
  type Here,
  madeUp,
  on,
  remembering,
  showing,
  whenRefused,
} from './cloud-operations.ts'
import { hasRoot, rotateRoot } from './root.ts'

const hasKey = (_call: Call, { context }: Here): boolean => Boolean(context.store.root?.access_key)
const shown = (access_key: unknown): Reply => ({ kind: 'data', data: { access_key } })

/** Remembers the key that `config/root` shows from a rotation until it is written again. */
const showsInstead = (keyOf: (before: RootConfig | undefined, here: Here) => string | undefined) =>
  [
    on(
      rotateRoot,
      hasKey,
      async (call, next, here) => {
        const before = here.context.store.root
        const reply = await next(call)
        here.memory.set('shown', keyOf(before, here))
        return reply
      },
      { remembers: true },
    ),
    remembering(['POST config/root'], (_call, { memory }) => {
      memory.delete('shown')
    }),
    showing(
      ['GET config/root'],
      (_call, { memory }) => memory.has('shown'),
      (fields, { memory }) => ({ ...fields, access_key: memory.get('shown') }),
    ),
  ].flat()
const resetting = (...names: readonly (keyof RootConfig)[]) =>
  after(rotateRoot, hasKey, (_call, { context: { store } }) => {
    if (store.root)
      store.root = { ...store.root, ...Object.fromEntries(names.map((name) => [name, rootFields[name].fallback])) }
  })
const undeleting = (provider: Provider): Provider => ({
  ...provider,
  iam: async (action, input) => (action === 'DeleteAccessKey' ? ({} as never) : provider.iam(action, input)),
})
const withProvider = (act: (provider: Provider, root: RootConfig) => Promise<unknown>) =>
  on(rotateRoot, hasKey, async (call, next, { context }) => {
    if (context.store.root)
      await act(providerOf(context), context.store.root).catch((error) => {
        throw refusalOf(error, 'the root credentials were not rotated')
      })
    return next(call)
  })

export const ofRootRotations: readonly CloudFault[] = faults({
  'rotate-root-same-key': 'A rotation of the root changes nothing and returns the old access key.',
  'rotate-root-once': 'A second rotation of the root changes nothing and returns the key of the first one.',
  'rotate-root-answers-old-key': 'A rotation of the root returns the old access key instead of the new one.',
  'rotate-root-answers-secret': 'A rotation of the root also returns the new secret key.',
  'rotate-root-without-key': 'A rotation of a root without an access key succeeds and returns a made-up key.',
  'rotate-root-makes-user': 'A rotation of the root also creates a user.',
  'rotate-root-read-old-key': 'A read of config/root shows the old access key after a rotation.',
  'rotate-root-resets-the-rest': 'A rotation of the root resets the other fields of config/root to their defaults.',
  'rotate-root-forgets-the-template': 'A rotation of the root deletes username_template.',
  'rotate-root-ends-static-rotations': 'After a rotation of the root, static roles are no longer rotated.',
  'rotate-root-forgets-lease': 'A rotation of the root deletes config/lease.',
  'rotate-root-uses-old-key': 'After a rotation of the root, calls are still signed with the old key.',
  'rotate-root-takes-second-key': 'A rotation of the root deletes another key of the root user to make room.',
  'rotate-root-failed-is-kept': 'A failed rotation of the root loses the root credentials.',
}).by({
  'rotate-root-same-key': on(rotateRoot, hasKey, (_call, _next, { context }) => shown(context.store.root?.access_key)),
  'rotate-root-once': [
    remembering(rotateRoot, (_call, { context, memory }) => {
      memory.set('rotated', context.store.root?.access_key)
    }),
    on(
      rotateRoot,
      (_call, { context, memory }) => memory.has('rotated') && memory.get('rotated') === context.store.root?.access_key,
      (_call, _next, { memory }) => shown(memory.get('rotated')),
    ),
  ],
  'rotate-root-answers-old-key': on(rotateRoot, hasKey, async (call, next, { context }) => {
    const old = context.store.root?.access_key
    await next(call)
    return shown(old)
  }),
  'rotate-root-answers-secret': showing(rotateRoot, hasKey, (fields, { context }) => ({
    ...fields,
    secret_key: context.store.root?.secret_key,
  })),
  'rotate-root-without-key': on(
    rotateRoot,
    (call, here) => hasRoot(call, here) && !hasKey(call, here),
    (_call, _next, { context }) => shown(madeUp(context).access_key),
  ),
  'rotate-root-makes-user': withProvider((provider) => provider.iam('CreateUser', { UserName: 'beside' })),
  'rotate-root-read-old-key': showsInstead((before) => before?.access_key),
  'rotate-root-resets-the-rest': resetting('region', 'max_retries', 'username_template'),
  'rotate-root-forgets-the-template': resetting('username_template'),
  'rotate-root-ends-static-rotations': after(
    rotateRoot,
    (_call, { context }) => context.store.staticRoles.size > 0,
    (_call, { context }) => context.alarms.cancelAll(),
  ),
  'rotate-root-forgets-lease': after(
    rotateRoot,
    (_call, { context }) => context.store.lease !== undefined,
    (_call, { context }) => {
      context.store.lease = undefined
    },
  ),
  'rotate-root-uses-old-key': [
    calling(rotateRoot, hasKey, undeleting),
    showsInstead((_before, { context }) => context.store.root?.access_key),
    on(rotateRoot, hasKey, async (call, next, { context: { store } }) => {
      const old = store.root
      const reply = await next(call)
      store.root = old
      return reply
    }),
  ],
  'rotate-root-takes-second-key': withProvider(async (provider, { access_key }) => {
    const { User } = await provider.iam('GetUser', {})
    const UserName = User?.UserName ?? ''
    for (const { id: AccessKeyId } of await keysOf(provider, UserName))
      if (AccessKeyId !== access_key) await provider.iam('DeleteAccessKey', { UserName, AccessKeyId })
  }),
  'rotate-root-failed-is-kept': whenRefused(rotateRoot, hasRoot, (_call, { context }) => {
    if (context.store.root) context.store.root = { ...context.store.root, ...madeUp(context) }
  }),
})
