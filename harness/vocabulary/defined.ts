/** Returns the members that are not undefined. */
export const defined = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name]
  } & {
    [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>
  }
