/**
 * One change of the tables, never changed once released: a database goes through those it has not seen. It only adds, and
 * every statement of ours names its columns, so servers of an older version go on beside newer ones.
 */
export type Migration = {
  readonly sql: string;
  /** The oldest version of the tables whose servers may work on a database that has this. */
  readonly compatibleSince: number;
};

type Found = {
  /** The newest change that the database has seen; 0: none. */
  readonly version: number;
  /** What the changes it has seen ask for. */
  readonly compatibleSince: number;
};

/** What a database still lacks, with its number: nothing when a newer server made it. Throws when ours cannot work on it. */
export function missing(
  migrations: readonly Migration[],
  { version, compatibleSince }: Found,
): readonly (Migration & { readonly number: number })[] {
  const ours = migrations.length;
  if (version > ours && compatibleSince > ours) {
    throw new Error(
      `it was made by a newer cosession (version ${version} of the tables, for servers that know ${compatibleSince}; here ${ours})`,
    );
  }
  return migrations.map((migration, index) => ({ ...migration, number: index + 1 })).slice(version);
}
