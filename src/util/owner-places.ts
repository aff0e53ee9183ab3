/** Each owner has so many places. */
export type OwnerPlaces = {
  /** Whether the owner has a place for `id`, which keeps it until it leaves. */
  take(owner: string, id: string): Promise<boolean>;
  leave(ids: readonly string[]): Promise<void>;
};

/** Places that nobody else shares. */
export function ownPlaces(limit: number): OwnerPlaces {
  const taken = new Map<string, string>();
  return {
    async take(owner, id) {
      const others = [...taken].filter(([other, name]) => name === owner && other !== id);
      if (others.length >= limit) return false;
      taken.set(id, owner);
      return true;
    },
    async leave(ids) {
      for (const id of ids) taken.delete(id);
    },
  };
}
