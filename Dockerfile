# The labelling wing with `lisa serve`: docker build -t lisa . && docker run --rm -p 127.0.0.1:8000:8000 lisa
FROM python:3.12-slim-bookworm AS build
COPY . /source
RUN pip wheel --no-deps --wheel-dir /wheels /source && cp /source/requirements/labelling.txt /wheels

FROM python:3.12-slim-bookworm
RUN --mount=from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-compile -c /wheels/labelling.txt "$(echo /wheels/*.whl)[serve]" && \
    useradd --create-home lisa
USER lisa
EXPOSE 8000
HEALTHCHECK CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health')"]
ENTRYPOINT ["lisa", "serve", "--host", "0.0.0.0"]
CMD ["english"]
