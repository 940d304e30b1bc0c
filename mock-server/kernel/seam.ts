/** Marks a cell of a table that states no rule of the documents. The cell returns its input or does nothing, and exists
 * only so that a mutant can change it. `seam` returns the cell itself. */
export const seam = <Cell>(cell: Cell): Cell => cell
