const name = /(?<!\{)\{([A-Za-z][\w-]*)\}(?!\})/g

/** Replaces each `{name}` by its value, once: what a value holds is not filled again. Doubled braces and braces around
 * anything but a name (JSON, policy texts) stay. */
export function fillTemplate(template: string, find: (name: string) => string): string {
  return template.includes('{') ? template.replace(name, (_whole, key: string) => find(key)) : template
}
