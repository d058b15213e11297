# For marking a class that is not trusted: see book/teaching.md. The image has
# no solutions. Build it in the root of the repository.
FROM python:3.11-slim
WORKDIR /book
COPY requirements.txt .
RUN pip install --no-cache-dir -r requirements.txt
COPY chapters chapters
COPY book/laboratory book/laboratory
COPY toy_language toy_language
COPY transformer_lib transformer_lib
COPY transformer_course transformer_course
ENTRYPOINT ["python", "-m", "transformer_course", "grade"]
