/** A schema of the objects that the example for Kubernetes uses, based on the public documentation. It is strict: it
 * rejects unknown fields, and pods with more rights than they need. */
const object = (
  required: Readonly<Record<string, object>>,
  optional: Readonly<Record<string, object>> = {},
): object => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(required),
  properties: { ...required, ...optional },
})
const list = (items: object): object => ({ type: 'array', minItems: 1, items })
const name = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 }
const path = { type: 'string', pattern: '^/' }
const quantity = { type: 'string', pattern: '^[0-9]+(m|[KMG]i)?$' }
const count = { type: 'integer', minimum: 1 }
const amounts = (...names: string[]): object => object(Object.fromEntries(names.map((each) => [each, quantity])))
const metadata = object({ name, labels: object({ part: name }) })

const container = object(
  {
    name,
    image: { type: 'string', pattern: '^[a-z0-9./-]+:[\\w.-]+$' },
    command: list({ type: 'string' }),
    securityContext: object({
      allowPrivilegeEscalation: { const: false },
      readOnlyRootFilesystem: { const: true },
      capabilities: object({ drop: { const: ['ALL'] } }),
    }),
    resources: object({ requests: amounts('cpu', 'memory'), limits: amounts('memory') }),
    volumeMounts: list(object({ name, mountPath: path }, { readOnly: { type: 'boolean' } })),
  },
  { env: list(object({ name: { const: 'ASSAY_STATE_DIR' }, value: path })) },
)

const volume = {
  oneOf: [
    object({ name, emptyDir: object({}) }),
    object({ name, persistentVolumeClaim: object({ claimName: name }) }),
    object({ name, configMap: object({ name }) }),
    object({ name, secret: object({ secretName: name, defaultMode: { const: 0o440 } }) }),
  ],
}

const pod = object(
  {
    restartPolicy: { const: 'Never' },
    automountServiceAccountToken: { const: false },
    securityContext: object({
      runAsNonRoot: { const: true },
      runAsUser: count,
      runAsGroup: count,
      fsGroup: count,
      seccompProfile: object({ type: { const: 'RuntimeDefault' } }),
    }),
    containers: list(container),
    volumes: list(volume),
  },
  { terminationGracePeriodSeconds: count },
)

const job = object(
  {
    backoffLimit: { const: 0 },
    activeDeadlineSeconds: count,
    template: object({ metadata: object({ labels: object({ app: name }) }), spec: pod }),
  },
  { completionMode: { const: 'Indexed' }, completions: count, parallelism: count },
)

export const kubernetesSchema = {
  oneOf: [
    object({
      apiVersion: { const: 'v1' },
      kind: { const: 'ConfigMap' },
      metadata,
      data: { type: 'object', additionalProperties: { type: 'string' } },
    }),
    object({
      apiVersion: { const: 'v1' },
      kind: { const: 'PersistentVolumeClaim' },
      metadata,
      spec: object({
        accessModes: list({ enum: ['ReadWriteOnce', 'ReadWriteMany'] }),
        resources: object({ requests: amounts('storage') }),
      }),
    }),
    object({ apiVersion: { const: 'batch/v1' }, kind: { const: 'Job' }, metadata, spec: job }),
  ],
}
