export interface Namespace {
  /** The last part of the path. */
  readonly name: string
  /** The whole path, with a slash at its end: `team-a/inner/`. Empty for the root namespace. */
  readonly path: string
  readonly id: string
  readonly uuid: string
  readonly metadata: Readonly<Record<string, string>>
}
