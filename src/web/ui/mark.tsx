/** The sign of Cosession: two threads that become one. */
export function Mark({ size = 18 }: { size?: number }) {
  return (
    <svg
      class="mark"
      width={size}
      height={size}
      viewBox="0 0 18 18"
      fill="none"
      stroke="currentColor"
      aria-hidden="true"
    >
      <path
        stroke-width="1.6"
        d="M4 1v3.2c0 2.6 1.6 3.6 3.1 4.5S9 10.3 9 12v5M14 1v3.2c0 2.6-1.6 3.6-3.1 4.5S9 10.3 9 12"
      />
    </svg>
  );
}
