/** Stands in paths before the names of what a check makes on ground that it may share: each use of the ground has another
 * value, and it is empty on ground of its own. It is no throw-away name, because a check may judge names as they are. */
export const useName = '{use}'
