"""Icons, drawn on a grid of 16 with lines of one weight."""

_PATHS = {
    "gauge": "M2 12a6 6 0 1 1 12 0M8 12l3-4",
    "list": "M2 4h2M6 4h8M2 8h2M6 8h8M2 12h2M6 12h8",
    "key": "M10.500 9a3.500 3.500 0 1 0-3.300-2.300L2 12v2h2.500v-1.500H6V11l1.300-1.300M11.300 4.700h.01",
    "play": "M5 3l8 5-8 5z",
    "alert": "M8 2l6.5 11.5h-13zM8 6.5v3M8 11.5v.01",
    "sliders": "M3 5h6M13 5h0M11 3v4M3 11h2M9 11h4M7 9v4",
    "box": "M2 5l6-3 6 3v6l-6 3-6-3zM2 5l6 3 6-3M8 8v6",
    "node": "M5 3h6v4H5zM3 13h2M7 13h2M11 13h2M8 7v3M4 13v-3h8v3M8 10v3",
    "token": "M2 5h12v6H2zM5 8h.01M8 8h.01M11 8h.01",
    "users": "M6 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM2 13c0-2.5 1.8-4 4-4s4 1.5 4 4M11 7.5a2 2 0 0 0 0-4M14 13c0-2-1-3.4-2.6-3.9",
    "log": "M4 2h8v12H4zM6 5h4M6 8h4M6 11h2",
    "gear": "M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4",
    "person": "M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 14c0-3 2.2-4.5 5-4.5s5 1.5 5 4.5",
    "bell": "M8 2a4 4 0 0 0-4 4v3l-1.500 2.500h11L12 9V6a4 4 0 0 0-4-4zM6.500 13.500h3",
    "clock": "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 4.500V8l2.500 1.500",
    "menu": "M2 4h12M2 8h12M2 12h12",
    "search": "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5L14 14",
    "copy": "M6 5h7v9H6zM10 5V2H3v9h3",
    "plus": "M8 3v10M3 8h10",
    "arrow": "M3 8h10M9 4l4 4-4 4",
    "download": "M8 2v8M4.5 7L8 10.5 11.5 7M3 13.5h10",
    "globe": "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM2 8h12M8 2c2 2 2.5 4 2.5 6S10 12 8 14C6 12 5.500 10 5.500 8S6 4 8 2z",
}


def svg(name: str) -> str:
    """The icon of this name as SVG."""
    return (
        '<svg class="icon" viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" '
        'stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">'
        f'<path d="{_PATHS[name]}"/></svg>'
    )
