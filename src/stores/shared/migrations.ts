/**
 * One change to the tables, frozen once released; a database runs the ones it has not seen. Migrations only add, and all our
 * statements name their columns, so older servers keep working next to newer ones.
 */
export type Migration = {
  readonly sql: string;
  /** The oldest schema version whose servers may use a database with this migration. */
  readonly compatibleSince: number;
};

type Found = {
  /** The newest migration that the database has run; 0 if none. */
  readonly version: number;
  /** The oldest schema version that those migrations still allow. */
  readonly compatibleSince: number;
};

/** The migrations a database still needs, numbered: none if a newer server created it. Throws if this server cannot use it. */
export function missing(
  migrations: readonly Migration[],
  { version, compatibleSince }: Found,
): readonly (Migration & { readonly number: number })[] {
  const ours = migrations.length;
  if (version > ours && compatibleSince > ours) {
    throw new Error(
      `it was created by a newer cosession (schema ${version}, needs at least ${compatibleSince}; this one has ${ours})`,
    );
  }
  return migrations.map((migration, index) => ({ ...migration, number: index + 1 })).slice(version);
}
